import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { StatutoryClock } from "../../../domain/ticket/clocks.ts";
import { TicketClock, waitedWords } from "./ticket-clock.tsx";

const shown = (clock: StatutoryClock, today: string): string =>
  renderToStaticMarkup(createElement(TicketClock, { clock, today }));

const refund = { rule: "refund", dueOn: "2026-12-07", metOn: null } as const;

describe("a statutory deadline", () => {
  it.each([
    ["2026-11-23", "Refund within 14 days", "text-ink"],
    ["2026-12-03", "Refund within 4 days", "text-ink"],
    ["2026-12-04", "Refund within 3 days", "text-pending"],
    ["2026-12-06", "Refund within 1 day", "text-pending"],
    ["2026-12-07", "Refund today", "text-pending"],
    ["2026-12-08", "Refund: 1 day overdue", "text-cancelled"],
    ["2026-12-20", "Refund: 13 days overdue", "text-cancelled"],
  ])("on %s says: %s", (today, words, colour) => {
    expect(shown(refund, today)).toContain(`${words}</span>`);
    expect(shown(refund, today)).toMatch(new RegExp(`^<span class="[^"]*${colour}"`));
  });

  it("once met, says whether it was in time", () => {
    expect(shown({ ...refund, metOn: "2026-12-07" }, "2027-01-01")).toContain("Dealt with in time</span>");
    expect(shown({ ...refund, metOn: "2026-12-08" }, "2027-01-01")).toContain("Dealt with late</span>");
  });
});

it.each([
  ["2026-11-21T09:59:40Z", "just now"],
  ["2026-11-21T09:48:00Z", "12 min"],
  ["2026-11-21T04:59:00Z", "5 h"],
  ["2026-11-19T10:01:00Z", "47 h"],
  ["2026-11-18T10:00:00Z", "3 days"],
  ["2026-11-21T10:05:00Z", "just now"],
])("what began at %s has waited %s", (since, words) => {
  expect(waitedWords(since, Date.parse("2026-11-21T10:00:00Z"))).toBe(words);
});
