import { type CommandMetadata, Refused } from "../decider.ts";
import type { OrderCommand, OrderCommandData, OrderCommandType } from "./commands.ts";
import type { OrderEvent } from "./events.ts";
import type { OrderLimitRule } from "./limits.ts";
import type { PhaseRule } from "./phases.ts";
import type { Order } from "./state.ts";

/** How each of some types of command is decided, once the phase allows it. An empty answer: it is true already. */
export type Decisions<Type extends OrderCommandType> = {
  readonly [T in Type]: (order: Order, data: OrderCommandData<T>, metadata: CommandMetadata) => OrderEvent[];
};

/** A command of one of some types, so that its data goes with its type. */
export type CommandOf<Type extends OrderCommandType> = {
  [T in Type]: Extract<OrderCommand, { type: T }> & { readonly type: T; readonly data: OrderCommandData<T> };
}[Type];

/** Rules finer than the phase table: stable codes, shown to clients. */
export type Rule =
  | PhaseRule
  | OrderLimitRule
  | "terms-not-accepted"
  | "consent-missing"
  | "payment-open"
  | "wrong-attempt"
  | "attempt-under-way"
  | "attempts-exhausted"
  | "purge-pending"
  | "already-confirmed"
  | "above-captured"
  | "refund-open"
  | "no-failed-refund"
  | "reference-missing"
  | "no-such-transfer"
  | "dispute-open"
  | "no-such-dispute"
  | "dispute-closed"
  | "second-person-needed"
  | "no-such-proposal"
  | "proposal-approved"
  | "proposal-declined"
  | "application-purged"
  | "role-needed"
  | "nothing-to-do"
  | "no-erasure-requested"
  | "still-needed"
  | "contact-purged"
  | "record-replaced";

/** What to throw when a rule forbids a command. */
export const forbidden = (order: Order, rule: Rule, details: Refused["details"] = {}): Refused =>
  new Refused({ code: "forbidden-in-phase", phase: order.phase, rule, details });

/**
 * A record whose place was taken is being destroyed, so it cannot come back.
 * @throws Refused when the record is such a one
 */
export function assertFresh(order: Order, ref: string): void {
  if (order.vault.superseded.some((record) => record.ref === ref)) throw forbidden(order, "record-replaced");
}
