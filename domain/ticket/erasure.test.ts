import { describe, expect, it } from "vitest";
import { start } from "../../testing/domain/order-fixture.ts";
import {
  acknowledged,
  answered,
  asked,
  opened,
  sampleTicketCommand as sample,
  type TicketResult,
  ticketAfter,
  ticketIn,
  turned,
} from "../../testing/domain/ticket-fixture.ts";
import { addDays, addSeconds } from "../instant.ts";
import type { TicketEvent } from "./events.ts";
import { heldTexts, heldTextsAfterErasure } from "./held-texts.ts";
import { ticketOwed } from "./owed.ts";

const erasureRequested: TicketEvent = { type: "ErasureRequested", data: {} };
const settings = {
  purgeAfterSeconds: 5,
  unpaidExpiresAfterSeconds: 86_400,
  contactRetentionDays: 365,
  submissionRequestedWithinSeconds: 60,
};
const purgesAfter = (history: readonly TicketResult[]) =>
  ticketOwed(ticketAfter(history), undefined, settings).filter(({ kind }) => kind === "purge");
const open: readonly TicketResult[] = [
  [opened, 0],
  [acknowledged, 1],
];

describe("an erasure request for a ticket", () => {
  it("is an event, once", () => {
    expect(asked(open, sample.RequestErasure)).toEqual([erasureRequested]);
    expect(asked([...open, [erasureRequested, 5]], sample.RequestErasure)).toEqual([]);
  });

  it("makes the purge due as soon as it is closed, and not while it is being answered", () => {
    const requested: readonly TicketResult[] = [...open, [erasureRequested, 5]];
    expect(purgesAfter(requested)).toEqual([]);
    expect(purgesAfter([...requested, [turned("Closed"), 50]])).toMatchObject([
      { rule: "erasure", dueAt: addSeconds(start, 50) },
    ]);
    expect(purgesAfter([...open, [turned("Closed"), 50], [erasureRequested, 70]])).toMatchObject([
      { rule: "erasure", dueAt: addSeconds(start, 70) },
    ]);
  });

  it("waits for the last mail about it", () => {
    const unsent: readonly TicketResult[] = [
      ...open,
      [erasureRequested, 5],
      [answered, 6],
      [turned("Closed"), 7],
    ];
    expect(purgesAfter(unsent)).toMatchObject([
      { rule: "retention", dueAt: addDays(addSeconds(start, 7), 365) },
    ]);
  });

  it("changes nothing of what staff had before their eyes", () => {
    expect(ticketAfter([...open, [erasureRequested, 5]]).revision).toBe(0);
  });
});

describe("what is held of a ticket", () => {
  const now = addSeconds(start, 500);
  const held = (history: readonly TicketResult[]) => heldTexts(ticketAfter(history), undefined, settings);
  const onRequest = (history: readonly TicketResult[]) =>
    heldTextsAfterErasure(ticketAfter(history), undefined, now, settings);
  const closed: readonly TicketResult[] = [...open, [turned("Closed"), 50]];

  it("is what a conversation needs, and a year's keeping after that", () => {
    expect(held(open)).toEqual({ state: "needed", for: "conversation" });
    expect(onRequest(open)).toEqual({ state: "needed", for: "conversation" });
    const until = addDays(addSeconds(start, 50), 365);
    expect(held(closed)).toEqual({ state: "due", until, rule: "retention" });
  });

  it("would go at once on request where it is closed and every mail sent", () => {
    expect(onRequest(closed)).toEqual({ state: "due", until: now, rule: "erasure" });
    expect(
      onRequest([
        [opened, 0],
        [turned("Closed"), 50],
      ]),
    ).toEqual({ state: "needed", for: "mail" });
  });

  it("changes nothing once the ticket is purged", () => {
    expect(held(ticketIn.Purged)).toMatchObject({ state: "destroyed", rule: "retention" });
  });
});
