import type { PurgeFailureCode } from "../../../domain/order/vocabulary.ts";
import { MirrorUnreachable } from "../../../infra/key-ring/key-ring.ts";
import {
  type DataClass,
  type DestructionReceipt,
  ProbeFailed,
  RecordUnreadable,
  type Vault,
} from "../../vault/vault.ts";

/** A purge that stands in the log: what it names, and the key of the subject that no event names and that goes along. */
export type StartedPurge = {
  readonly subjectId: string;
  readonly dataClass: DataClass;
  readonly records: readonly { readonly ref: string }[];
  readonly keyRef: string | undefined;
};

/** The records that events of the subject name as the log stands, or undefined once the purge has come to its end. */
export type NamedWhileOpen = () => Promise<ReadonlySet<string> | undefined>;

/**
 * Destroys exactly what a purge names, however the subject has changed since it started. What no event names goes first and is left out of
 * the receipt, which then says the same however often a crash makes it necessary: its records follow from the log alone.
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
 * Destroys what a crash between sealing and appending left of the class. The vault is asked before the log: while the purge is under way
 * no command names another record, so what was sealed by then and is not named by now never will be. Once it is over, another worker
 * has done this, and what lies there may belong to what came after.
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
 * What the alarm is told. A fault of the database is none of these: then the failure could not be recorded either.
 * @throws whatever else it was, for the job to try again
 */
export function failureCodeOf(error: unknown): PurgeFailureCode {
  if (error instanceof ProbeFailed) return "stillReadable";
  if (error instanceof MirrorUnreachable || isDiskFault(error)) return "keyRingUnavailable";
  if (error instanceof RecordUnreadable) return "other";
  throw error;
}

/** A fault of a file, which names its path; those of sockets name none. */
function isDiskFault(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && "path" in error;
}
