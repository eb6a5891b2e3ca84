import { addSeconds } from "../../instant.ts";
import { hasOpenDispute } from "../payment/money.ts";
import { awaitsRefund } from "../payment/refund-tasks.ts";
import { hasEnded, isUnpaid } from "../phases.ts";
import type { Order } from "../state.ts";
import type { TaskSettings } from "../tasks/task.ts";
import type { DataClass, PurgeRule } from "../vocabulary.ts";
import { withErasureRequested } from "./fold-privacy.ts";
import { owedPurges } from "./purge-tasks.ts";
import { isAlive } from "./vault-records.ts";

/** What we still need personal data for, with no known end. */
export type NeededFor =
  /** The order is not finished: without it no certificate can be had or sent. */
  | "order"
  /** Money is on its way back, or must go. */
  | "refund"
  /** A bank decides about a payment. */
  | "dispute"
  /** A mail about the order is still to be sent. */
  | "mail"
  /** A conversation that is not closed. */
  | "conversation";

/** What is held of a class: nothing yet, no longer, until a moment by a rule, or for as long as something needs it. */
export type Held<Rule extends string = PurgeRule> =
  | { readonly state: "none" }
  | { readonly state: "destroyed"; readonly at: string; readonly rule: Rule }
  | { readonly state: "due"; readonly until: string; readonly rule: Rule }
  | { readonly state: "needed"; readonly for: NeededFor };

/**
 * What an order holds of a class of personal data, and which rule purges it when: the same rules that the policies act
 * on.
 */
export function heldOf(order: Order, dataClass: DataClass, settings: TaskSettings): Held {
  if (!isAlive(order, dataClass)) return gone(order, dataClass);
  if (isUnpaid(order.phase)) {
    const until = addSeconds(order.createdAt, settings.unpaidExpiresAfterSeconds);
    return { state: "due", until, rule: "neverPaid" };
  }
  // Erasure was requested, and one more mail is to be sent: kept until then, not for as long as the law allows.
  const waitsForMail = order.erasureRequestedAt !== null && order.mails.owed.length > 0;
  const task = owedPurges(order, settings).find(
    (owed) => owed.kind === "purge" && owed.dataClass === dataClass,
  );
  if (task?.kind !== "purge") return { state: "needed", for: neededFor(order) };
  if (task.rule === "retention" && waitsForMail) return { state: "needed", for: "mail" };
  return { state: "due", until: task.dueAt, rule: task.rule };
}

/** What would be held if the customer asked for erasure now: the difference is what erasure does. */
export const heldAfterErasure = (
  order: Order,
  dataClass: DataClass,
  now: string,
  settings: TaskSettings,
): Held => heldOf(withErasureRequested(order, now), dataClass, settings);

function gone({ purges }: Order, dataClass: DataClass): Held {
  const { purgedAt, receipt } = purges[dataClass];
  return purgedAt === null || receipt === null
    ? { state: "none" }
    : { state: "destroyed", at: purgedAt, rule: receipt.rule };
}

function neededFor(order: Order): NeededFor {
  if (!hasEnded(order.phase)) return "order";
  return hasOpenDispute(order) ? "dispute" : awaitsRefund(order) ? "refund" : "order";
}
