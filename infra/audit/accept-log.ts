import type { EventStore } from "../event-store/event-store.ts";
import { OperatorError } from "../process/operator-error.ts";
import { type AuditReport, auditLog } from "./audit-log.ts";
import type { AuditedTree } from "./audited-tree.ts";
import type { CheckpointBook } from "./checkpoint-book.ts";

/** What was signed before is what the log disagrees with. */
const noTree = {
  size: async () => 0,
  tiles: async () => [],
  marksAfter: async () => [],
  kept: async () => undefined,
  published: async () => undefined,
  keysOf: async () => [],
} satisfies Partial<AuditedTree>;

/** The mark an operator types to accept this log: the start of its rolling hash. */
const markOf = ({ rollingHash }: Pick<AuditReport, "rollingHash">): string => rollingHash.slice(0, 8);

/**
 * Signs a log that disagrees with its checkpoints, for example after a restore, as the new baseline for audits. Earlier
 * checkpoints stay in the book.
 * @throws OperatorError when the log's own chain is broken, or the mark belongs to another log
 */
export async function acceptLog(options: {
  store: Pick<EventStore, "readAll" | "readStream" | "eventAt" | "logId">;
  book: CheckpointBook;
  /** Says what leaves are like; the tree itself is not compared. */
  tree: Pick<AuditedTree, "detailsOf">;
  mark: string;
  at: string;
}): Promise<AuditReport> {
  const { store, book, tree, mark, at } = options;
  const report = await auditLog({ store, book: { read: async () => [] }, tree: { ...noTree, ...tree } });
  const { events: count, rollingHash, position, eventId, logId, problem } = report;
  if (problem) throw new OperatorError(`This log cannot be accepted: ${problem.words}`);
  if (eventId === null) throw new OperatorError("This log cannot be accepted: it is empty.");
  if (markOf(report) !== mark)
    throw new OperatorError(
      `Not accepted: the mark of this log of ${count.toLocaleString("en-GB")} events is ${markOf(report)}. If it is the right log, run npm run audit -- --accept ${markOf(report)}.`,
    );
  await book.append({ count, rollingHash, position, eventId, logId, at, baseline: true });
  return report;
}
