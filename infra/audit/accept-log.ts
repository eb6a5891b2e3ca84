import type { EventStore } from "../event-store/event-store.ts";
import { OperatorError } from "../process/operator-error.ts";
import { hexOf } from "../transparency/formats/bytes.ts";
import { type AuditReport, auditLog } from "./audit-log.ts";
import type { AuditedTree } from "./audited-tree.ts";

/** What was signed before is what the log disagrees with. */
const noTree = {
  size: async () => 0,
  tiles: async () => [],
  marksAfter: async () => [],
  kept: async () => undefined,
  published: async () => undefined,
  keysOf: async () => [],
} satisfies Partial<AuditedTree>;

/** A log that an operator accepted. */
type AcceptedLog = Pick<AuditReport, "events" | "rollingHash"> & {
  /** Of the tree over its events, in hex. */
  readonly root: string;
};

/**
 * Reads a log that disagrees with its checkpoints, for example after a restore, and compares it with the mark that the
 * operator typed: the start of its tree's root.
 * @throws OperatorError when the log's own chain is broken, or the mark belongs to another log
 */
export async function acceptLog(options: {
  store: Pick<EventStore, "readAll" | "readStream" | "eventAt" | "logId">;
  /** Says what leaves are like; the tree itself is not compared. */
  tree: Pick<AuditedTree, "detailsOf">;
  mark: string;
}): Promise<AcceptedLog> {
  const { store, tree, mark } = options;
  const { detailsOf } = tree;
  const { events, rollingHash, root, problem } = await auditLog({ store, tree: { ...noTree, detailsOf } });
  if (problem) throw new OperatorError(`This log cannot be accepted: ${problem.words}`);
  if (events === 0 || !root) throw new OperatorError("This log cannot be accepted: it is empty.");
  const own = hexOf(root).slice(0, 8);
  if (own !== mark)
    throw new OperatorError(
      `Not accepted: the mark of this log of ${events.toLocaleString("en-GB")} events is ${own}. If it is the right log, run npm run audit -- --accept ${own}.`,
    );
  return { events, rollingHash, root: hexOf(root) };
}
