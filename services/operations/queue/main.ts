import { setTimeout as delay } from "node:timers/promises";
import { readConfig } from "../../../infra/config/config.ts";
import { createBullMqJobs } from "../../../infra/jobs/bullmq-jobs.ts";
import { createLog } from "../../../infra/process/log.ts";
import { wordsForOperator } from "../../../infra/process/operator-error.ts";
import { reachRedis } from "../../../infra/redis/open-redis.ts";
import { commandLine } from "../../../infra/setup/command-line.ts";
import { openLog } from "../../../projections/runner/open-log.ts";
import { isDrained, readQueue, wordsOf } from "./queue-report.ts";

// npm run queue [-- --until-drained]

const lookEveryMs = 2_000;

async function report(untilDrained: boolean): Promise<void> {
  const config = readConfig();
  const opened = await openLog(config, { beside: true });
  await using closing = new AsyncDisposableStack();
  closing.defer(() => opened.close());
  if (config.REDIS_URL) await reachRedis(config.REDIS_URL, undefined, 0);
  const jobs = await createBullMqJobs({
    connectionString: config.REDIS_URL ?? opened.connectionString,
    queueName: "duties",
    log: createLog("silent"),
  });
  closing.defer(() => jobs.close());
  for (;;) {
    const found = await readQueue(opened.pool, jobs);
    process.stdout.write(`${wordsOf(found, new Date())}\n`);
    if (!untilDrained || isDrained(found)) return;
    await delay(lookEveryMs);
  }
}

try {
  await report(commandLine("queue").options["until-drained"]);
} catch (error) {
  process.stderr.write(`${wordsForOperator(error)}\n`);
  process.exitCode = 1;
}
