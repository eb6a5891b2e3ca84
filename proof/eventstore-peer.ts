import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startKurrentPeer } from "../infra/event-store/kurrent-peer/kurrent-peer.ts";

// npm run eventstore:peer [-- --port 2113 --file .peer/log]: for trying EVENTSTORE_URL by hand where no server is. It has no users, no
// TLS, no cluster and reads its whole file at the start: no server for production.

const { values } = parseArgs({
  options: { port: { type: "string", default: "2113" }, file: { type: "string", default: ".peer/log" } },
});
const file = resolve(values.file);
mkdirSync(dirname(file), { recursive: true });
const peer = await startKurrentPeer({ file, port: Number(values.port) });
console.log(`A peer for trying EVENTSTORE_URL=${peer.url}. NO SERVER FOR PRODUCTION. Its log is ${file}`);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => peer.stop());
