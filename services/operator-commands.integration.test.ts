import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../infra/process/free-port.ts";
import { testDatabase } from "../testing/postgres/test-database.ts";
import { temporaryFolder } from "../testing/setup/temporary-folder.ts";
import { ownSettings } from "../testing/system/own-settings.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

/** A command's output to the operator, and its exit code. */
async function said(file: string, args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
    ...ownSettings(temporaryFolder("command"), { DATABASE_URL: database.connectionString, ...env }),
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [words, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  return { words: words.trim(), code };
}

it("reports in a sentence that no event store answers", async () => {
  const env = { EVENTSTORE_URL: `esdb://127.0.0.1:${await freePort()}?tls=false` };
  const args = ["--from", "postgres", "--to", "eventstore"];
  const { words, code } = await said("operations/event-copy/main.ts", args, env);
  expect(words).toMatch(/^EVENTSTORE_URL \(.+\) cannot be used: nothing listens there: .+$/);
  expect(code).toBe(1);
});

it("reports in a sentence that the queue's Redis does not answer", async () => {
  const address = `127.0.0.1:${await freePort()}/0`;
  const { words, code } = await said("operations/queue/main.ts", [], { REDIS_URL: `redis://${address}` });
  expect(words).toMatch(/^REDIS_URL \(.+\) cannot be used: nothing listens there: .+$/);
  expect(words).toContain(address);
  expect(code).toBe(1);
});

it("reports in a sentence that a checkpoint to compare with is missing, or none", async () => {
  const seen = (file: string) => said("operations/audit/main.ts", ["--seen", file], {});
  const missing = join(import.meta.dirname, "missing");
  expect(await seen(missing)).toEqual({
    ...{ words: `${missing} cannot be used: there is no such file or folder.`, code: 1 },
  });
  expect(await seen(import.meta.filename)).toEqual({
    words: expect.stringMatching(/ holds no checkpoint of a transparency log: .+$/),
    code: 1,
  });
});
