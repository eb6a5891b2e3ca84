import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "vitest";
import { patienceMs } from "../../testing/setup/patience.ts";

/** Logs and exits as soon as its input ends. */
const logsAtTheEnd = (create: string) => `
  import { createLog } from ${JSON.stringify(join(import.meta.dirname, "log.ts"))};
  import { pino } from "pino";
  const log = ${create};
  process.stdout.on("error", () => undefined);
  process.stdin.resume().on("end", () => {
    for (let line = 0; line < 3; line++) log.info({ line }, "the last words");
    process.exit(0);
  });
  log.info("begun");
`;

/** Exit code of a process whose reader disappeared before its last lines; null when it had to be killed. */
async function endWithoutReader(create: string, waitMs: number): Promise<number | null> {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", logsAtTheEnd(create)], {
    cwd: join(import.meta.dirname, ".."),
    stdio: ["pipe", "pipe", "ignore"],
  });
  await once(child.stdout, "data");
  child.stdout.destroy();
  const ended = once(child, "exit");
  child.stdin.end();
  const givenUp = setTimeout(() => child.kill("SIGKILL"), waitMs);
  await ended;
  clearTimeout(givenUp);
  return child.exitCode;
}

it("lets a process exit when nothing reads its last lines", async () => {
  expect(await endWithoutReader(`createLog("info")`, patienceMs)).toBe(0);
});

it("would not with buffered lines (control)", async () => {
  expect(await endWithoutReader(`pino({ level: "info" })`, 3_000)).toBeNull();
});
