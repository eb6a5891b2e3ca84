import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../../infra/postgres/embedded.ts";
import { migrate } from "../../infra/postgres/migrate.ts";
import { commandLine } from "../../infra/setup/command-line.ts";
import { provideMailServers } from "../../testing/setup/provide-programs.ts";
import { machineLine } from "../figures.ts";
import { endWith, typedAgain } from "../run-measurement.ts";
import { sendThroughKills } from "./mail.ts";

// npm run proof:mail [-- --mails 1000 --kills 12]: sends the corpus through Postfix to the product, half of it by LMTP
// and half by way of a mailbox on Dovecot, while product and servers are killed with -9. Fails unless each mail is
// recorded once, or refused as documented.

const { name, options } = commandLine("proof:mail");
await endWith(async () => {
  const missing = provideMailServers();
  if (missing !== undefined) throw new Error(`The proof needs mail servers: ${missing}.`);
  console.log(`Command: ${typedAgain(name, options)}`);
  console.log(machineLine());
  await using closing = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "certificates-mail-"));
  closing.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
  const server = await startEmbedded({ directory: join(folder, "postgres") });
  closing.defer(() => server.stop());
  await migrate(server.connectionString);
  const begunMs = performance.now();
  const seconds = () => Math.round((performance.now() - begunMs) / 1000);
  const { findings, taken, refused, again } = await sendThroughKills({
    ...options,
    folder,
    connectionString: server.connectionString,
    stalledAfterMs: 60_000,
    onStage: (words) => console.log(`${seconds()} s: ${words}`),
  });
  for (const finding of findings) console.log(finding);
  console.log(
    `${taken} mails to record, ${refused} to refuse, ${options.kills} kills, ${again} sent again; ${seconds()} s: ${findings.length} findings`,
  );
  return findings.length === 0;
});
