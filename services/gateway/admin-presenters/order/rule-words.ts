import type { Rule } from "../../../../domain/order/decision.ts";

/** Why an action is not possible now, in words that end a sentence. */
const ruleWords: Readonly<Record<Rule, string>> = {
  "already-exists": "the order exists already",
  "variant-missing": "no certificate was chosen yet",
  "not-paid": "the order is not paid",
  "already-paid": "the order is paid",
  "not-confirmed": "no confirmation has reached the customer yet",
  "attempt-open": "an attempt to submit is open: find out first what became of it",
  "no-attempt-open": "no attempt to submit is open",
  "not-submitted": "the GRO does not have the application",
  "already-submitted": "the GRO has the application",
  "not-queried": "the GRO has no question",
  "not-dispatched": "the certificate is not despatched",
  "already-dispatched": "the certificate is despatched",
  "already-fulfilled": "the order is fulfilled",
  "already-cancelled": "the order is cancelled",
  "already-failed": "the order has failed",
  "application-needed": "the application is still needed",
  "contact-needed": "the contact data is still needed",
  "terms-not-accepted": "the terms were not accepted",
  "consent-missing": "the customer has not asked us to begin",
  "payment-open": "a payment is under way",
  "wrong-attempt": "another attempt was begun meanwhile",
  "attempt-under-way": "the attempt may still be on its way: wait until 15 minutes after it began",
  "attempts-exhausted": "no automatic attempt is left",
  "purge-pending": "the old application is still to be destroyed",
  "already-confirmed": "the confirmation has arrived",
  "above-captured": "it is more than what is left of the payment",
  "refund-open": "a refund is under way",
  "dispute-open": "a dispute is open: the bank decides first",
  "second-person-needed": "you proposed it yourself: somebody else has to decide",
  "no-such-proposal": "no refund was proposed",
  "proposal-approved": "the proposed refund was approved",
  "proposal-declined": "the proposed refund was declined",
  "application-purged": "the application was destroyed",
  "role-needed": "your role does not include it",
  "nothing-to-do": "it is so already",
  "no-erasure-requested": "nobody asked for erasure",
  "still-needed": "the data is still needed, or is to go by another rule",
  "contact-purged": "the contact data was destroyed",
  "record-replaced": "the record was replaced meanwhile",
};

const known: Readonly<Record<string, string>> = ruleWords;

/** A rule in words; a rule of another room as it is named. */
export const wordsOfRule = (rule: string): string => known[rule] ?? rule;
