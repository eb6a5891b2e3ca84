import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { purgeRule, questionClosed } from "../../domain/order/vocabulary.ts";
import { draftDestructionRule } from "../../domain/saved-draft/vocabulary.ts";
import { ticketPurgeRule } from "../../domain/ticket/vocabulary.ts";
import { retentionSchedule } from "./processing-record.ts";

const settings = {
  purgeAfterSeconds: 7,
  unpaidExpiresAfterSeconds: 3_600,
  contactRetentionDays: 90,
  submissionRequestedWithinSeconds: 60,
};
const lines = retentionSchedule(settings);
const rulesOf = (subject: "order" | "ticket" | "draft") =>
  new Set(lines.filter((line) => line.subject === subject).map(({ rule }) => rule));

it("has a line for every rule by which the domain destroys, and for no other", () => {
  expect(rulesOf("order")).toEqual(new Set([...purgeRule.options, questionClosed]));
  expect(rulesOf("ticket")).toEqual(new Set(ticketPurgeRule.options));
  expect(rulesOf("draft")).toEqual(new Set(draftDestructionRule.options));
});

it("says the durations that the policies use", () => {
  const afterOf = (rule: string) => lines.find((line) => line.rule === rule)?.afterSeconds;
  expect([afterOf("submitted"), afterOf("neverPaid"), afterOf("retention")]).toEqual([7, 3_600, 90 * 86_400]);
});

it("names code that is there", () => {
  for (const { decidedBy, doneBy } of lines) {
    expect(existsSync(decidedBy), decidedBy).toBe(true);
    expect(existsSync(doneBy), doneBy).toBe(true);
  }
});
