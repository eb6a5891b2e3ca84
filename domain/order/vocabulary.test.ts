import { expect, it } from "vitest";
import { paymentFailureCodeOf, refundFailureCodeOf } from "./vocabulary.ts";

it.each([
  ["card_declined", "cardDeclined"],
  ["insufficient_funds", "insufficientFunds"],
  ["payment_intent_authentication_failure", "authenticationFailed"],
  ["a_code_of_tomorrow", "other"],
  ["constructor", "other"],
  [undefined, "other"],
])("the provider's %s is our %s, and its text is dropped", (theirs, ours) => {
  expect(paymentFailureCodeOf(theirs)).toBe(ours);
});

it.each([
  ["expired_or_canceled_card", "expiredOrCancelledCard"],
  ["unknown", "other"],
  [undefined, "other"],
])("a refund that failed for %s failed for our %s", (theirs, ours) => {
  expect(refundFailureCodeOf(theirs)).toBe(ours);
});
