import type { Tree } from "../transparency/formats/verify-proofs.ts";
import { type AuditOptions, type AuditReport, auditLog } from "./audit-log.ts";
import type { AuditProgress, ReadState } from "./audit-progress.ts";
import { type AuditRun, standingProblem } from "./audit-records.ts";
import type { AuditedTree } from "./audited-tree.ts";

export type AuditParts = Pick<AuditOptions, "store" | "book"> & {
  readonly tree: AuditedTree;
  readonly progress: AuditProgress;
  readonly now: () => Date;
};

type RunOptions = AuditParts &
  Pick<AuditOptions, "signal" | "onProgress" | "atOnce" | "seen"> & {
    readonly kind: "whole" | "new-events";
    /** Reads from the first event, though a whole read was killed a short while ago. */
    readonly afresh?: boolean;
  };

type Finished = Pick<AuditRun, "kind" | "events" | "streams" | "checkpoints" | "problem"> & {
  readonly report: AuditReport;
};

/**
 * Audits the whole log, or what is newer than the last verified checkpoint. A whole read that was killed goes on where
 * it was; without a verified checkpoint everything is read.
 * @throws the store's errors; the signal's reason
 */
export async function runAudit(options: RunOptions): Promise<Finished> {
  const { store, book, progress, now, seen = [], afresh = false, kind: asked } = options;
  const logId = await store.logId();
  const verified = await progress.verified(logId);
  const kind = verified ? asked : "whole";
  const isWhole = kind === "whole";
  const resumed = afresh ? undefined : await progress.unfinished(logId, now());
  const report = await auditLog({
    ...options,
    // Older than every event that is new.
    book: isWhole ? book : undefined,
    from: isWhole ? resumed : verified,
    seen: [...(verified ? [treeOf(verified)] : []), ...seen],
    ...(isWhole && { onReached: (state: ReadState) => progress.keepUnfinished(state, now()) }),
  });
  if (report.verified) await progress.keepVerified(report.verified);
  if (isWhole) await progress.finish();
  const { events, streams, checkpoints, problem, from } = report;
  // A whole read counts what was read before it was killed.
  const before = isWhole || !from ? { events: 0, streams: 0, checkpoints: 0 } : countsOf(from);
  return {
    kind,
    events: events - before.events,
    streams: streams - before.streams,
    checkpoints: checkpoints - before.checkpoints,
    problem,
    report,
  };
}

const countsOf = ({ tree, streams, checkpoints }: ReadState) => ({ events: tree.size, streams, checkpoints });

const treeOf = ({ tree }: ReadState): Tree => ({ size: tree.size, root: tree.root() });

const dayMs = 86_400_000;

/**
 * The audit that is due: the newer events once a day, the whole log once a week, and the whole log also after a finding.
 * @param newest of all, and the newest whole one
 */
export function dueAudit(
  newest: AuditRun | undefined,
  whole: AuditRun | undefined,
  now: Date,
): "whole" | "new-events" | undefined {
  const ageOf = ({ finishedAt }: AuditRun): number => now.getTime() - Date.parse(finishedAt);
  if (!newest || !whole || ageOf(whole) >= 7 * dayMs) return "whole";
  const last = newest.kind === "following" ? whole : newest;
  if (ageOf(last) < dayMs) return undefined;
  return standingProblem({ newest, whole }) ? "whole" : "new-events";
}
