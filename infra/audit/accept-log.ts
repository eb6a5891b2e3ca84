import type { EventStore } from "../event-store/event-store.ts";
import { OperatorFault } from "../process/operator-error.ts";
import { type AuditReport, auditLog } from "./audit-log.ts";
import type { CheckpointBook } from "./checkpoint-book.ts";

/** What the operator types to accept a log: the start of its rolling hash, so that it is this log and no other. */
export const markOf = ({ rollingHash }: Pick<AuditReport, "rollingHash">): string => rollingHash.slice(0, 8);

/**
 * Signs a log that does not agree with its checkpoints, after a restore for one, as what later audits hold it against. The
 * checkpoints before stay in the book, and so does this one: nothing is hidden.
 * @throws OperatorFault when its own chain is broken, which nobody can accept, or when the mark is another's
 */
export async function acceptLog(options: {
  store: Pick<EventStore, "readAll" | "readStream" | "logId">;
  book: CheckpointBook;
  mark: string;
  at: string;
}): Promise<AuditReport> {
  const { store, book, mark, at } = options;
  const report = await auditLog({ store, book: { read: async () => [] } });
  const { events: count, rollingHash, position, eventId, logId, problem } = report;
  if (problem) throw new OperatorFault(`This log cannot be accepted: ${problem.words}`);
  if (eventId === null) throw new OperatorFault("This log cannot be accepted: it is empty.");
  if (markOf(report) !== mark)
    throw new OperatorFault(
      `Not accepted: the mark of this log of ${count.toLocaleString("en-GB")} events is ${markOf(report)}. If it is the one to go on with, run npm run audit -- --accept ${markOf(report)}.`,
    );
  await book.append({ count, rollingHash, position, eventId, logId, at, baseline: true });
  return report;
}
