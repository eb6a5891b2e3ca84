import type { OrderCommand } from "../../../domain/order/commands.ts";
import type { Order } from "../../../domain/order/state.ts";
import {
  type DestroyedKind,
  destroyedKind,
  type PurgeFailureCode,
} from "../../../domain/order/vocabulary.ts";
import { MirrorUnreachable } from "../../../infra/key-ring/key-ring.ts";
import type { Desk } from "../../commands/desk.ts";
import { fingerprintKeyId } from "../../vault/stream-fingerprint.ts";
import {
  type DataClass,
  type DestructionReceipt,
  ProbeFailed,
  RecordUnreadable,
  type Vault,
} from "../../vault/vault.ts";
import type { DutyParts, Errand, Outcome } from "../errand.ts";

/**
 * Destroys all that an order holds of one class, and records the receipt or the failure. A failure is recorded only when the
 * duty is due; tried before that, it stays quiet.
 */
export async function purge(
  { desk, now, log }: Pick<DutyParts, "desk" | "now" | "log">,
  errand: Errand<"purge">,
): Promise<Outcome> {
  const { order, duty, by, commandId } = errand;
  const { orderId } = order;
  const { dataClass, attempt } = duty;
  const type = dataClass === "application" ? "PurgeSensitiveData" : "PurgeContactData";
  // An application that was replaced is purged once more under the same name; what came before tells the two apart.
  const purgeId = `${commandId}-after-${order.purges[dataClass].purgedAt ?? "none"}`;
  const tell = (command: OrderCommand) => desk.orders.tell({ orderId, commandId: purgeId, by, command });
  try {
    await tell({ type, data: await destroyAll(desk, errand) });
    return "told";
  } catch (error) {
    const code = failureCodeOf(error);
    if (Date.parse(duty.dueAt) > now().getTime()) return "later";
    log.error({ orderId, dataClass, code, attempt }, "ALARM: personal data could not be destroyed");
    await tell({ type, data: { outcome: "failed", code, attempt } });
    return "told";
  }
}

type Purged = Extract<Extract<OrderCommand, { type: "PurgeSensitiveData" }>["data"], { outcome: "purged" }>;

/**
 * What no event names goes first and is left out of the receipt, which then says the same however often a crash makes it
 * necessary: its records follow from the log alone.
 */
async function destroyAll(desk: Desk, { order, duty }: Errand<"purge">): Promise<Purged> {
  const named = namedRecords(order, duty.dataClass);
  const keyRef = duty.dataClass === "contact" ? fingerprintKeyId(desk.deriveId, order.orderId) : undefined;
  await destroyUnnamed(desk.vault, order.orderId, duty.dataClass, (ref) => named.has(ref) || ref === keyRef);
  const receipt = await desk.vault.destroy([...named.keys(), ...(keyRef ? [keyRef] : [])]);
  const { keyFingerprint, probe } = receipt;
  return {
    outcome: "purged",
    destroyed: kindsOf(named, receipt),
    rule: duty.rule,
    keyFingerprint,
    probe,
    // Most orders were placed by a browser that never repeated itself, and have no key to compare repeats with.
    records: named.size + (receipt.kinds.includes("fingerprintKey") ? 1 : 0),
  };
}

/** The records of a class that events name. */
function namedRecords({ vault }: Order, dataClass: Errand<"purge">["duty"]["dataClass"]) {
  const superseded = vault.superseded.filter((record) => record.dataClass === dataClass);
  const refs: (readonly [string | null, DestroyedKind])[] = [
    ...superseded.map(({ ref }) => [ref, dataClass] as const),
    ...(dataClass === "application"
      ? ([
          [vault.application, "application"],
          [vault.signature, "signature"],
        ] as const)
      : [
          [vault.contact, "contact"] as const,
          ...vault.groReferences.map((ref) => [ref, "groOrderReference"] as const),
          ...vault.notes.map((ref) => [ref, "orderNote"] as const),
        ]),
  ];
  return new Map(refs.flatMap(([ref, kind]) => (ref === null ? [] : [[ref, kind] as const])));
}

/** Destroys what a crash between sealing and appending left of a class. */
export async function destroyUnnamed(
  vault: Vault,
  subject: string,
  dataClass: DataClass,
  isNamed: (ref: string) => boolean,
): Promise<void> {
  const kept = await vault.recordsOf(subject, dataClass);
  const unnamed = kept.map(({ recordId }) => recordId).filter((recordId) => !isNamed(recordId));
  if (unnamed.length > 0) await vault.destroy(unnamed);
}

/** By their names too: a vault that was restored to before a record was sealed knows nothing of it. */
const kindsOf = (
  named: ReadonlyMap<string, DestroyedKind>,
  { kinds }: DestructionReceipt,
): DestroyedKind[] => {
  const ofOrders = kinds.flatMap((kind) => destroyedKind.safeParse(kind).data ?? []);
  return [...new Set([...named.values(), ...ofOrders])].sort();
};

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
