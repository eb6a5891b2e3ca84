import type { OrderCommandData } from "../../../domain/order/commands.ts";
import type { PurgeRecord } from "../../../domain/order/state.ts";
import { type PurgedKind, type PurgeFailureCode, purgedKind } from "../../../domain/order/vocabulary.ts";
import { MirrorUnreachable } from "../../../infra/key-ring/key-ring.ts";
import type { OrderDependencies } from "../../orders/dependencies.ts";
import { fingerprintKeyId } from "../../vault/stream-fingerprint.ts";
import {
  type DataClass,
  type DestructionReceipt,
  ProbeFailed,
  RecordUnreadable,
  type Vault,
} from "../../vault/vault.ts";
import { namedByOrder } from "../subject.ts";
import type { Outcome, OwedTask, TaskDependencies } from "../task-dependencies.ts";

type Open = NonNullable<PurgeRecord["open"]>;
type Purged = Extract<OrderCommandData<"PurgeSensitiveData">, { outcome: "purged" }>;

/**
 * Purges everything an order holds of one class, in three steps: the log records exactly what is to be erased, the
 * vault erases it, and the log records the receipt or the failure. Anything in between finds the records gone; a crash
 * leaves the purge in progress and still due.
 */
export async function purge(
  { deps, now, log }: Pick<TaskDependencies, "deps" | "now" | "log">,
  owed: OwedTask<"purge">,
): Promise<Outcome> {
  const { order, task, by, commandId } = owed;
  const { orderId } = order;
  const { dataClass } = task;
  const open = order.purges[dataClass].open ?? (await start(deps, owed));
  if (!open) return "done"; // It has ended meanwhile.
  const type = dataClass === "application" ? "PurgeSensitiveData" : "PurgeContactData";
  return finishPurge(
    { now, log },
    {
      ...{ task, commandId, startedBy: open.startedBy, about: { orderId, dataClass } },
      destroy: () => destroy(deps, owed, open),
      record: (commandId, data) => deps.orders.execute({ orderId, commandId, by, command: { type, data } }),
    },
  );
}

/** Records what is to be erased. Nothing has happened yet if the order refuses. */
async function start(
  { orders }: OrderDependencies,
  { order, task, by, commandId }: OwedTask<"purge">,
): Promise<Open | undefined> {
  const { dataClass, rule } = task;
  const type = dataClass === "application" ? "StartSensitiveDataPurge" : "StartContactDataPurge";
  // A replaced application is purged again under the same name; the previous purge distinguishes the two.
  const startId = `${commandId}-start-${rule}-after-${order.purges[dataClass].purgedAt ?? "none"}`;
  const result = await orders.execute({
    orderId: order.orderId,
    commandId: startId,
    by,
    command: { type, data: { rule } },
  });
  return result.order.purges[dataClass].open;
}

async function destroy(
  { orders, vault, deriveId }: OrderDependencies,
  { order: { orderId }, task: { dataClass } }: OwedTask<"purge">,
  { startedBy, records }: Open,
): Promise<Purged> {
  const keyRef = dataClass === "contact" ? fingerprintKeyId(deriveId, orderId) : undefined;
  const { kinds, keyFingerprint, probe } = await destroyStarted(
    vault,
    { subjectId: orderId, dataClass, records, keyRef },
    async () => {
      const { order } = await orders.load(orderId);
      const isOpen = order.purges[dataClass].open?.startedBy === startedBy;
      return isOpen ? namedByOrder(order) : undefined;
    },
  );
  return {
    outcome: "purged",
    startedBy,
    // Includes records by name: a vault restored to before one was sealed does not know it.
    destroyed: [...new Set([...records.map(({ kind }) => kind), ...kinds.flatMap(ofOrders)])].sort(),
    keyFingerprint,
    probe,
    // Most browsers never repeat a request, so most orders have no key for comparing repeats.
    records: records.length + (kinds.includes("fingerprintKey") ? 1 : 0),
  };
}

const ofOrders = (kind: string): PurgedKind[] => {
  const known = purgedKind.safeParse(kind);
  return known.success ? [known.data] : [];
};

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
    // A question may be sealed meanwhile, and named later; it is never purged with its class.
    ({ recordId, kind }) => !purged.has(recordId) && kind !== "groQuestion",
  );
  if (others.length === 0) return;
  const named = await namedWhileOpen();
  const unnamed = others.map(({ recordId }) => recordId).filter((recordId) => named && !named.has(recordId));
  if (unnamed.length > 0) await vault.destroy(unnamed);
}

/**
 * Failure code for the alarm. Database errors have none: the failure could not be recorded either.
 * @throws any other error: the task is tried again
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
