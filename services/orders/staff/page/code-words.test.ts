import { expect, test } from "vitest";
import { refusalSentence } from "./code-words.ts";

test.each([
  ["shares-differ", "The amounts do not add up to the refund."],
  ["above-captured", "The refund is more than what is left of the payment."],
  ["second-person-needed", "You made this proposal: someone else has to decide."],
  ["nothing-to-do", "It has already been done."],
  ["too-many-notes", "The order has as many notes as an order allows."],
  ["already-submitted", "This is not possible now: the GRO has the application."],
])("%s is refused in a whole sentence", (rule, sentence) => {
  expect(refusalSentence(rule)).toBe(sentence);
});
