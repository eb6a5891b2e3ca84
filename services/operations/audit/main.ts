import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { recordRun } from "../../../infra/audit/audit-records.ts";
import { runAudit } from "../../../infra/audit/run-audit.ts";
import { type Config, readConfig } from "../../../infra/config/config.ts";
import { compareLog } from "../../../infra/log-binding/log-binding.ts";
import { mismatchError } from "../../../infra/log-binding/log-mismatch.ts";
import { failCommand, namedFileError, OperatorError } from "../../../infra/process/operator-error.ts";
import { commandLine, type OptionsOf } from "../../../infra/setup/command-line.ts";
import {
  type PublishedCheckpoint,
  publishedCheckpoint,
} from "../../../infra/transparency/checkpoint-file.ts";
import { NoteRefused } from "../../../infra/transparency/formats/signed-note.ts";
import { openAnyLog } from "../../../projections/runner/open-log.ts";
import { wordsOf } from "./audit-words.ts";
import { acceptRestoredLog, emptyTree } from "./recover-log.ts";
import {
  auditedTreeOf,
  auditProgressOf,
  checkpointFileOf,
  oldBookOf,
  signedEventOf,
} from "./signed-files.ts";

// npm run audit [-- --accept <the first eight digits of the tree's root>]
//   --new-events      only what came since the last verified checkpoint
//   --seen FILE       a checkpoint kept elsewhere, which the log must extend
//   --at-once 2       parts of the log that are read at the same time
//   --rebuild-tree    empties the tree, which the next start rebuilds
//   --afresh          from the first event, though a whole read was killed in the last 24 hours

async function audit(config: Config, options: OptionsOf<"audit">): Promise<boolean> {
  const { accept: mark, "at-once": atOnce, afresh } = options;
  const kind = options["new-events"] ? "new-events" : "whole";
  const seen = await Promise.all(options.seen.map(readCheckpoint));
  if (options["rebuild-tree"]) return rebuildTree(config);
  const { store, pool, close } = await openAnyLog(config, { beside: true });
  const inDatabase = config.EVENTSTORE_URL === undefined;
  try {
    const now = () => new Date();
    const [book, signed] = [oldBookOf(config), signedEventOf(config, now)];
    const progress = auditProgressOf(config);
    const tree = auditedTreeOf(config, pool, now);
    if (mark !== undefined)
      await acceptRestoredLog({
        ...{ pool, store, inDatabase, tree, progress, signed, book, mark, now, newId: randomUUID },
        checkpoint: checkpointFileOf(config),
      });
    const startedAt = new Date().toISOString();
    const finished = await runAudit({
      ...{ kind, store, book, tree, progress, now, seen, atOnce, afresh },
      onProgress: (events) => process.stderr.write(`\r${events.toLocaleString("en-GB")} events read`),
    });
    process.stderr.write("\n");
    const { report, ...run } = finished;
    await recordRun(pool, { ...run, id: randomUUID(), startedAt, finishedAt: new Date().toISOString() });
    process.stdout.write(`${wordsOf(report)}\n`);
    const { mismatch } = await compareLog({ pool, store, inDatabase, signed, warn: () => undefined });
    if (mismatch)
      process.stdout.write(
        `THE PRODUCT WILL NOT START LIKE THIS. ${mismatchError(mismatch, inDatabase).message}\n`,
      );
    return report.problem === null && mismatch === undefined;
  } finally {
    await close();
  }
}

async function readCheckpoint(file: string): Promise<PublishedCheckpoint> {
  try {
    return publishedCheckpoint(await readFile(file, "utf8"));
  } catch (error) {
    if (error instanceof NoteRefused)
      throw new OperatorError(`${file} holds no checkpoint of a transparency log: ${error.message}`, {
        cause: error,
      });
    throw namedFileError(file, error);
  }
}

async function rebuildTree(config: Config): Promise<boolean> {
  const { pool, close } = await openAnyLog(config);
  try {
    await emptyTree(pool);
    process.stdout.write("The transparency log's tree is empty. The next start rebuilds it.\n");
    return true;
  } finally {
    await close();
  }
}

try {
  process.exitCode = (await audit(readConfig(), commandLine("audit").options)) ? 0 : 1;
} catch (error) {
  failCommand(error);
}
