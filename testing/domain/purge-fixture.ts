import type { OrderCommand, OrderCommandData } from "../../domain/order/commands.ts";
import { lapseOf } from "../../domain/order/personal-data/purge-tasks.ts";
import type { Order } from "../../domain/order/state.ts";
import type { DataClass, PurgeRule } from "../../domain/order/vocabulary.ts";

/** Purges, step by step. */

type Outcome = OrderCommandData<"PurgeSensitiveData">;
type Unstarted<One> = One extends unknown ? Omit<One, "startedBy"> : never;
export type PurgeOutcome = Unstarted<Outcome>;

/** Not started by any event. */
const unknownStart = "00000000-0000-4000-8000-999999999999";

export const destroyedOf = (dataClass: DataClass): Extract<PurgeOutcome, { outcome: "purged" }> => ({
  outcome: "purged",
  destroyed: dataClass === "application" ? ["application", "signature"] : ["contact", "groOrderReference"],
  keyFingerprint: (dataClass === "application" ? "cd" : "ef").repeat(32),
  probe: "unreadable",
  records: 2,
});

export const notDestroyed = {
  outcome: "failed",
  code: "stillReadable",
  attempt: 1,
} as const satisfies PurgeOutcome;

/** Starts a purge, by default under the applicable rule. */
export const startPurge = (
  order: Order,
  dataClass: DataClass,
  rule: PurgeRule = lapseOf(order, dataClass)?.rule ?? "retention",
): OrderCommand => ({
  type: dataClass === "application" ? "StartSensitiveDataPurge" : "StartContactDataPurge",
  data: { rule },
});

/** Records the outcome of the running purge. */
export const endPurge = (
  { purges }: Order,
  dataClass: DataClass,
  outcome: PurgeOutcome = destroyedOf(dataClass),
): OrderCommand => ({
  type: dataClass === "application" ? "PurgeSensitiveData" : "PurgeContactData",
  data: { ...outcome, startedBy: purges[dataClass].open?.startedBy ?? unknownStart },
});

/** The next step until the class is purged. */
export const nextPurgeStep = (order: Order, dataClass: DataClass): OrderCommand =>
  order.purges[dataClass].open ? endPurge(order, dataClass) : startPurge(order, dataClass);
