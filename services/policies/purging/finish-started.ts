import type { PurgeFailureCode } from "../../../domain/order/vocabulary.ts";
import { MirrorUnreachable } from "../../../infra/key-ring/key-ring.ts";
import type { OrderDependencies } from "../../orders/dependencies.ts";
import {
  type DataClass,
  type DestructionReceipt,
  ProbeFailed,
  RecordUnreadable,
  type Vault,
} from "../../vault/vault.ts";
import type { Outcome } from "../task-dependencies.ts";

type Failed = {
  readonly outcome: "failed";
  readonly startedBy: string;
  readonly code: PurgeFailureCode;
  readonly attempt: number;
};

/** The last two steps of a purge: erase what its start named, and record what came of it. */
type Finishing<Purged> = {
  readonly task: { readonly dueAt: string; readonly attempt: number };
  /** The event that started it. */
  readonly startedBy: string;
  readonly commandId: string;
  /** Ids, for the log. */
  readonly about: Readonly<Record<string, string>>;
  readonly destroy: () => Promise<Purged>;
  readonly record: (commandId: string, data: Purged | Failed) => Promise<unknown>;
};

/** Erases and records the receipt. A failure is recorded only when the task is due; earlier retries stay quiet. */
export async function finishPurge<Purged>(
  { now, log }: Pick<OrderDependencies, "now" | "log">,
  { task: { dueAt, attempt }, startedBy, commandId, about, destroy, record }: Finishing<Purged>,
): Promise<Outcome> {
  const idOf = (step: string) => `${commandId}-${step}-${startedBy}`;
  try {
    await record(idOf("end"), await destroy());
    return "done";
  } catch (error) {
    const code = failureCodeOf(error);
    if (Date.parse(dueAt) > now().getTime()) return "later";
    log.error({ ...about, code, attempt }, "ALARM: personal data could not be purged");
    await record(idOf("failure"), { outcome: "failed", startedBy, code, attempt });
    return "done";
  }
}

/**
 * A purge recorded in the log: the records it names, and the subject's key, which no event names and which goes too.
 */
type StartedPurge = {
  readonly subjectId: string;
  readonly dataClass: DataClass;
  readonly records: readonly { readonly ref: string }[];
  readonly keyRef: string | undefined;
};

/** The records named by the subject's events at present; undefined once the purge has finished. */
type NamedWhileOpen = () => Promise<ReadonlySet<string> | undefined>;

/**
 * Erases exactly the records a purge names, however the subject has changed since. Records without an event go first
 * and are left out of the receipt, so a repeat after a crash produces the same receipt: it follows from the log alone.
 */
export async function destroyStarted(
  vault: Vault,
  purge: StartedPurge,
  namedWhileOpen: NamedWhileOpen,
): Promise<DestructionReceipt> {
  await destroyUnnamed(vault, purge, namedWhileOpen);
  const { records, keyRef } = purge;
  return vault.destroy([...records.map(({ ref }) => ref), ...(keyRef ? [keyRef] : [])]);
}

/**
 * Erases records of the class left by a crash between sealing and appending. Reads the vault before the log: during the
 * purge no command names a new record, so a record sealed by then and still unnamed never will be named. Once the purge
 * is over, another worker has done this, and what is in the vault may be newer.
 */
async function destroyUnnamed(
  vault: Vault,
  { subjectId, dataClass, records, keyRef }: StartedPurge,
  namedWhileOpen: NamedWhileOpen,
): Promise<void> {
  const purged = new Set([...records.map(({ ref }) => ref), keyRef]);
  const others = (await vault.recordsOf(subjectId, dataClass)).filter(
    ({ recordId }) => !purged.has(recordId),
  );
  if (others.length === 0) return;
  const named = await namedWhileOpen();
  const unnamed = others.map(({ recordId }) => recordId).filter((recordId) => named && !named.has(recordId));
  if (unnamed.length > 0) await vault.destroy(unnamed);
}

/**
 * Failure code for the alarm. Database errors have none: the failure could not be recorded either.
 * @throws any other error, for the job to retry
 */
function failureCodeOf(error: unknown): PurgeFailureCode {
  if (error instanceof ProbeFailed) return "stillReadable";
  if (error instanceof MirrorUnreachable || isDiskFault(error)) return "keyRingUnavailable";
  if (error instanceof RecordUnreadable) return "other";
  throw error;
}

/** A file error names its path; socket errors do not. */
function isDiskFault(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && "path" in error;
}
