import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { expectFree } from "../../infra/process/free-port.ts";
import { failCommand, OperatorError } from "../../infra/process/operator-error.ts";
import { commandLine } from "../../infra/setup/command-line.ts";
import { type FakeEventStoreDb, startFakeEventStoreDb } from "../event-store/fake-kurrent/kurrent-peer.ts";

// npm run eventstore:peer [-- --port 2113 --file .peer/log]: a fake server to try EVENTSTORE_URL by hand. It has no
// users, no TLS, no cluster, and reads its whole file at the start: not for production.

async function start(): Promise<FakeEventStoreDb> {
  const { port, ...options } = commandLine("eventstore:peer").options;
  await expectFree("127.0.0.1", port).catch((cause: unknown) => {
    throw new OperatorError(`Port ${port} cannot be used: give a free one as --port.`, {
      cause,
    });
  });
  const file = resolve(options.file);
  mkdirSync(dirname(file), { recursive: true });
  const fake = await startFakeEventStoreDb({ file, port });
  console.log(
    `Ready: a fake event store at EVENTSTORE_URL=${fake.url}. NOT FOR PRODUCTION. Its log is ${file}`,
  );
  return fake;
}

try {
  const fake = await start();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => fake.stop());
} catch (error) {
  failCommand(error);
}
