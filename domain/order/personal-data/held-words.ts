import { before } from "../../instant.ts";
import type { TicketPurgeRule } from "../../ticket/vocabulary.ts";
import type { PurgeRule } from "../vocabulary.ts";
import type { Held, NeededFor } from "./held-data.ts";

/** What is held, in words: for the page of a customer, and for the account that the customer gets of it. */

type Rule = PurgeRule | TicketPurgeRule;

const ruleWords: Readonly<Record<Rule, string>> = {
  submitted: "the GRO has the application",
  cancelled: "the order was cancelled",
  failed: "the order could not be completed",
  neverPaid: "unpaid orders are deleted",
  retention: "we keep it for a set period afterwards, in case of complaints or claims",
  erasure: "erasure was asked for",
  orderPurged: "the contact data of its order was destroyed",
};

const neededWords: Readonly<Record<NeededFor, string>> = {
  order: "the order is not finished and needs it",
  refund: "a refund is still due",
  dispute: "a bank is deciding about a payment, and we may have to answer a claim",
  mail: "one more email about it has to be sent",
  conversation: "the conversation is not closed",
};

const destroyedWords: Readonly<Record<Rule, string>> = {
  ...ruleWords,
  neverPaid: "the order was never paid",
  retention: "the retention period had ended",
};

/** One sentence about what is held of a class. @param day writes a moment as its readers do */
export function heldSentence(held: Held<Rule>, day: (at: string) => string): string {
  switch (held.state) {
    case "none":
      return "No data was given.";
    case "destroyed":
      return `Destroyed on ${day(held.at)}: ${destroyedWords[held.rule]}.`;
    case "due":
      return `Held until ${day(held.until)}: ${ruleWords[held.rule]}.`;
    case "needed":
      return `Held for now: ${neededWords[held.for]}.`;
  }
}

/** The lawful ground for keeping what a customer wants erased, for the staff who answer them. */
const grounds: Readonly<Record<NeededFor, string>> = {
  order: "UK GDPR Article 17(1)(a): it is still needed for the contract it was collected for.",
  refund: "UK GDPR Article 17(1)(a): it is still needed to make the refund.",
  dispute: "UK GDPR Article 17(3)(e): it is needed to defend a legal claim.",
  mail: "UK GDPR Article 17(1)(a): it is needed for one more message, and erased straight after it.",
  conversation: "UK GDPR Article 17(1)(a): it is still needed to answer the customer.",
};

/**
 * What a request for erasure comes to: erased at once, or at a time that was set anyway, gone before, or kept, for what
 * and on which ground.
 */
export type ErasureOutcome =
  | { readonly outcome: "erased" }
  | { readonly outcome: "set"; readonly until: string; readonly because: string }
  | { readonly outcome: "gone" }
  | { readonly outcome: "kept"; readonly because: string; readonly ground: string };

/** What becomes of a class once erasure was asked for, as `heldAfterErasure` has it at a moment. */
export function erasureOutcome(held: Held<Rule>, now: string): ErasureOutcome {
  if (held.state === "none" || held.state === "destroyed") return { outcome: "gone" };
  if (held.state === "due") {
    return before(now, held.until)
      ? { outcome: "set", until: held.until, because: ruleWords[held.rule] }
      : { outcome: "erased" };
  }
  return { outcome: "kept", because: neededWords[held.for], ground: grounds[held.for] };
}

/** How long contact data is kept, as customers read it: '12 months', '180 days'. */
export const retentionWords = (days: number): string =>
  days % 365 === 0 ? `${(days / 365) * 12} months` : `${days} days`;
