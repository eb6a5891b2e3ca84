import { type Message, sealEvents } from "../commands/sealing.ts";
import type { EventStore } from "../event-store/event-store.ts";
import { verifyStream } from "../event-store/hash-chain.ts";
import { OperatorError } from "../process/operator-error.ts";
import { hexOf } from "../transparency/formats/bytes.ts";
import {
  type AcceptedLog,
  acceptanceEventSchemas,
  acceptanceStream,
  acceptedLog,
} from "./acceptance-events.ts";
import { auditLog } from "./audit-log.ts";
import type { AuditedTree } from "./audited-tree.ts";

/** Appends the acceptance to the log that was accepted. @throws the store's errors */
export async function recordAcceptance(options: {
  readonly store: Pick<EventStore, "append" | "readStream">;
  readonly accepted: AcceptedLog;
  readonly at: string;
  /** Identifies this acceptance. */
  readonly id: string;
}): Promise<void> {
  const { store, accepted, at, id } = options;
  const before = await store.readStream(acceptanceStream);
  const last = before.at(-1);
  const after = {
    revision: last?.revision ?? ("none" as const),
    hash: verifyStream(acceptanceStream, before),
  };
  const event: Message = { type: "LogAccepted", data: acceptedLog.parse(accepted) };
  const sealed = sealEvents([event], acceptanceEventSchemas, {
    stream: acceptanceStream,
    after,
    metadata: { commandId: id, at, actor: { kind: "system", id: "audit" }, correlationId: id },
    causationId: null,
    fingerprint: null,
  });
  await store.append({
    stream: acceptanceStream,
    expectedRevision: after.revision,
    events: sealed.map(({ stored }) => stored),
  });
}

/** What was signed before is what the log disagrees with. */
const noTree = {
  size: async () => 0,
  tiles: async () => [],
  marksAfter: async () => [],
  kept: async () => undefined,
  published: async () => undefined,
  keysOf: async () => [],
} satisfies Partial<AuditedTree>;

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
