import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { readConfig } from "../../../infra/config/config.ts";
import { createBullMqJobs } from "../../../infra/jobs/bullmq-jobs.ts";
import { createLog } from "../../../infra/process/log.ts";
import { failCommand, OperatorError } from "../../../infra/process/operator-error.ts";
import { reachRedis } from "../../../infra/redis/open-redis.ts";
import { commandLine } from "../../../infra/setup/command-line.ts";
import { openLog } from "../../../projections/runner/open-log.ts";
import { isDrained, letGo, readQueue, wordsOf } from "./queue-report.ts";

// npm run queue [-- --until-drained | --let-go WORKER]

const lookEveryMs = 2_000;

async function report(untilDrained: boolean, dismissed: string | undefined): Promise<void> {
  const config = readConfig();
  const opened = await openLog(config, { beside: true });
  await using closing = new AsyncDisposableStack();
  closing.defer(() => opened.close());
  if (dismissed !== undefined) {
    if (!z.uuid().safeParse(dismissed).success || !(await letGo(opened.pool, dismissed)))
      throw new OperatorError(`There is no worker ${dismissed}: npm run queue lists them.`);
    process.stdout.write("It lets go. Others take what it owned in about ten seconds.\n");
    return;
  }
  if (config.REDIS_URL) await reachRedis(config.REDIS_URL, undefined, 0);
  const jobs = await createBullMqJobs({
    connectionString: config.REDIS_URL ?? opened.connectionString,
    queueName: "work",
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
  const { options } = commandLine("queue");
  await report(options["until-drained"], options["let-go"]);
} catch (error) {
  failCommand(error);
}
