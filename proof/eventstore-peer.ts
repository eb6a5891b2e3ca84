import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { expectFree } from "../infra/process/free-port.ts";
import { OperatorFault, wordsForOperator } from "../infra/process/operator-error.ts";
import { type KurrentPeer, startKurrentPeer } from "../testing/event-store/fake-kurrent/kurrent-peer.ts";

// npm run eventstore:peer [-- --port 2113 --file .peer/log]: a fake server to try EVENTSTORE_URL by hand. It has no
// users, no TLS, no cluster, and reads its whole file at the start: not for production.

async function start(): Promise<KurrentPeer> {
  const { values } = parseArgs({
    options: { port: { type: "string", default: "2113" }, file: { type: "string", default: ".peer/log" } },
  });
  await expectFree("127.0.0.1", Number(values.port)).catch((cause: unknown) => {
    throw new OperatorFault(`Port ${values.port} cannot be used: give a free one as --port.`, {
      cause,
    });
  });
  const file = resolve(values.file);
  mkdirSync(dirname(file), { recursive: true });
  const peer = await startKurrentPeer({ file, port: Number(values.port) });
  console.log(`A fake event store at EVENTSTORE_URL=${peer.url}. NOT FOR PRODUCTION. Its log is ${file}`);
  return peer;
}

try {
  const peer = await start();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => peer.stop());
} catch (error) {
  process.stderr.write(`${wordsForOperator(error)}\n`);
  process.exitCode = 1;
}
