import { randomUUID } from "node:crypto";
import { type AuditReport, auditLog } from "../../../infra/audit/audit-log.ts";
import { lockDigest, recordRun } from "../../../infra/audit/audit-records.ts";
import type { CheckpointBook } from "../../../infra/audit/checkpoint-book.ts";
import { type Config, readConfig } from "../../../infra/config/config.ts";
import { compareLog } from "../../../infra/log-binding/log-binding.ts";
import { mismatchError } from "../../../infra/log-binding/log-mismatch.ts";
import { inTransaction, type Pool } from "../../../infra/postgres/pool.ts";
import { wordsForOperator } from "../../../infra/process/operator-error.ts";
import { openAnyLog } from "../../../projections/runner/open-log.ts";
import { acceptRestoredLog } from "./accept-restored-log.ts";
import { checkpointFileOf, openAuditBook } from "./audit-book.ts";

// npm run audit [-- --accept <the first eight digits of the rolling hash>]

async function audit(config: Config, mark: string | undefined): Promise<boolean> {
  const { store, pool, close } = await openAnyLog(config, { beside: true });
  const inDatabase = config.EVENTSTORE_URL === undefined;
  try {
    const { book } = await openAuditBook(config);
    const now = () => new Date();
    if (mark !== undefined)
      await acceptRestoredLog({
        pool,
        store,
        inDatabase,
        book: inTurn(book, pool),
        checkpoint: checkpointFileOf(config),
        mark,
        now,
      });
    const startedAt = new Date().toISOString();
    const report = await auditLog({
      store,
      book,
      onProgress: (events) => process.stderr.write(`\r${events.toLocaleString("en-GB")} events read`),
    });
    process.stderr.write("\n");
    const { events, streams, checkpoints, problem } = report;
    const finishedAt = new Date().toISOString();
    const run = { id: randomUUID(), kind: "whole", startedAt, finishedAt } as const;
    await recordRun(pool, { ...run, events, streams, checkpoints, problem });
    process.stdout.write(`${wordsOf(report)}\n`);
    const { mismatch } = await compareLog({ pool, store, inDatabase, book, warn: () => undefined });
    if (mismatch)
      process.stdout.write(
        `THE PRODUCT WILL NOT START LIKE THIS. ${mismatchError(mismatch, inDatabase).message}\n`,
      );
    return problem === null && mismatch === undefined;
  } finally {
    await close();
  }
}

/** A running process may be signing: two lines with the same predecessor would break the book. */
const inTurn = (book: CheckpointBook, pool: Pool): CheckpointBook => ({
  ...book,
  append: (checkpoint) =>
    inTransaction(pool, async (client) => {
      await lockDigest(client);
      return book.append(checkpoint);
    }),
});

function wordsOf(report: AuditReport): string {
  const { events, streams, checkpoints, rollingHash, problem } = report;
  const read = `${events} events in ${streams} streams, compared with ${checkpoints} signed checkpoints`;
  if (!problem) return `The log is intact: ${read}.\nIts rolling hash is ${rollingHash}.`;
  return [
    `THE LOG HAS BEEN ALTERED OR DAMAGED. ${problem.words}`,
    `Read up to there: ${read}. Keep this database as it is, and compare it with a backup before you do anything else.`,
    "If it is a backup that was restored, npm run audit -- --accept names the mark with which you accept it.",
  ].join("\n");
}

const flag = process.argv.indexOf("--accept");
try {
  const isWell = await audit(readConfig(), flag < 0 ? undefined : (process.argv[flag + 1] ?? ""));
  process.exitCode = isWell ? 0 : 1;
} catch (error) {
  process.stderr.write(`${wordsForOperator(error)}\n`);
  process.exitCode = 1;
}
