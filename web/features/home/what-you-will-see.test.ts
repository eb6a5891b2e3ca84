import { expect, test } from "vitest";
import { wordsOf } from "../../../testing/pages/rendered-page.ts";

test.each([
  [0, "a few seconds"],
  [0.1, "6 seconds"],
  [0.7, "42 seconds"],
  [1.9, "114 seconds"],
  [2, "2 minutes"],
  [89.4, "89 minutes"],
  [90, "2 hours"],
  [600, "10 hours"],
])("a median of %d minutes is shown as %s", async (medianMinutesToSubmission, words) => {
  const page = await wordsOf("/", { facts: { submittedOrders: 40, medianMinutesToSubmission } });
  expect(page).toContain(
    `median time from payment to submission, last 90 days ${words} From our own records`,
  );
});
