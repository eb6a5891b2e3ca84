import { describe, expect, it } from "vitest";
import {
  acknowledged,
  asked,
  complained,
  opened,
  sampleTicketCommand as sample,
  type TicketResult,
  ticketAfter,
  turned,
  unacknowledged,
  wrote,
} from "../../testing/domain/ticket-fixture.ts";
import { clockOf, daysLeft } from "./clocks.ts";
import type { TicketEvent } from "./events.ts";
import type { TicketCategory } from "./vocabulary.ts";

/** Opened on 23 November 2026. */
const about = (category: TicketCategory): TicketEvent => ({
  type: "TicketOpened",
  data: { ...opened.data, category },
});
const day = 86_400;

/** When a ticket that was opened on a day has to be answered. */
const dueOn = (category: TicketCategory, openedOn: string): string | undefined =>
  clockOf({ ...ticketAfter([[about(category), 0]]), openedAt: `${openedOn}T12:00:00.000Z` })?.dueOn;

describe("the last day to answer a request about personal data", () => {
  it.each([
    ["2026-11-23", "2026-12-23"],
    // February has no 29th; its 28th is a Sunday.
    ["2027-01-29", "2027-03-01"],
    ["2027-03-31", "2027-04-30"],
    ["2028-01-31", "2028-02-29"],
    // Christmas, a weekend, and the day given for Boxing Day.
    ["2026-11-25", "2026-12-29"],
    ["2026-12-14", "2027-01-14"],
    // A Saturday.
    ["2026-10-21", "2026-11-23"],
  ])("of %s is %s", (received, due) => {
    expect(dueOn("dataRequest", received)).toBe(due);
  });
});

it.each([
  ["2026-11-23", "2026-12-07"],
  ["2026-12-20", "2027-01-03"],
  ["2026-10-20", "2026-11-03"],
])("a cancellation on %s is refunded by %s", (cancelled, due) => {
  expect(dueOn("cancellation", cancelled)).toBe(due);
});

it.each([
  ["2026-12-07", "2026-11-23", 14],
  ["2026-12-07", "2026-12-07", 0],
  ["2026-12-07", "2026-12-09", -2],
  ["2027-03-29", "2027-03-27", 2],
])("until %s it is, on %s, %i days", (dueOn, today, left) => {
  expect(daysLeft({ dueOn }, today)).toBe(left);
});

describe("the clock of a ticket", () => {
  it.each([
    ["dataRequest", "dataRequest", "2026-12-23"],
    ["cancellation", "refund", "2026-12-07"],
  ] as const)("about %s runs from its opening until it is first closed", (category, rule, dueOn) => {
    const history: TicketResult[] = [[about(category), 0]];
    expect(clockOf(ticketAfter(history))).toEqual({ rule, dueOn, metOn: null });
    const closed: TicketResult[] = [...history, [turned("Closed"), 3 * day]];
    expect(clockOf(ticketAfter(closed))).toEqual({ rule, dueOn, metOn: "2026-11-26" });
    const again: TicketResult[] = [...closed, [turned("Open"), 40 * day], [turned("Closed"), 41 * day]];
    expect(clockOf(ticketAfter(again))).toEqual({ rule, dueOn, metOn: "2026-11-26" });
  });

  it("runs on once staff reopen what they closed", () => {
    const reopened: TicketEvent = {
      type: "TicketStatusChanged",
      data: { status: "Open", reason: "staffChoice" },
    };
    const history: TicketResult[] = [
      [about("dataRequest"), 0],
      [turned("Closed"), day],
      [reopened, day + 1],
    ];
    expect(clockOf(ticketAfter(history))).toMatchObject({ metOn: null });
    expect(clockOf(ticketAfter([...history, [turned("Closed"), 9 * day]]))).toMatchObject({
      metOn: "2026-12-02",
    });
  });

  it("about a data protection complaint runs until it is acknowledged, closed or not", () => {
    const complaint: TicketResult[] = [[complained, 0]];
    const running = { rule: "acknowledgement", dueOn: "2026-12-22", metOn: null };
    expect(clockOf(ticketAfter(complaint))).toEqual(running);
    expect(clockOf(ticketAfter([...complaint, [turned("Closed"), day]]))).toEqual(running);
    expect(clockOf(ticketAfter([...complaint, [acknowledged, 1]]))).toMatchObject({ metOn: "2026-11-23" });
  });

  it("does not run where the law sets none", () => {
    for (const category of ["question", "order", "payment", "serviceComplaint", "other"] as const) {
      expect(clockOf(ticketAfter([[about(category), 0]]))).toBeNull();
    }
  });
});

describe("a ticket that staff file under another category", () => {
  const filed = (history: readonly TicketResult[], category: TicketCategory): TicketResult[] => [
    ...history,
    ...asked(history, { type: "CategoriseTicket", data: { category } }).map(
      (event): TicketResult => [event, 3 * day],
    ),
  ];
  const byMail: TicketResult[] = [[about("other"), 0]];

  it.each([
    ["dataRequest", { rule: "dataRequest", dueOn: "2026-12-23", metOn: null }],
    ["cancellation", { rule: "refund", dueOn: "2026-12-07", metOn: null }],
    ["dataProtectionComplaint", { rule: "acknowledgement", dueOn: "2026-12-22", metOn: null }],
    ["question", null],
  ] as const)("as %s has its clock, counted from the day it was opened", (category, clock) => {
    expect(clockOf(ticketAfter(filed(byMail, category)))).toEqual(clock);
  });

  it("has none once it is filed under one without", () => {
    expect(clockOf(ticketAfter(filed(filed(byMail, "dataProtectionComplaint"), "order")))).toBeNull();
  });

  it("is acknowledged as a complaint by the mail that went out before", () => {
    const history: TicketResult[] = [...byMail, [acknowledged, day]];
    expect(clockOf(ticketAfter(filed(history, "dataProtectionComplaint")))?.metOn).toBe("2026-11-24");
  });

  it("keeps what automatic mail opened open to its clock", () => {
    const automatic: TicketEvent = {
      ...opened,
      data: { ...opened.data, category: "order", automatic: true },
    };
    const history: TicketResult[] = [
      [automatic, 0],
      [wrote(1), day],
      [turned("Open"), day],
    ];
    expect(clockOf(ticketAfter(filed(history, "dataRequest")))?.metOn).toBeNull();
  });

  it("changes nothing under the same", () => {
    expect(asked(byMail, { type: "CategoriseTicket", data: { category: "other" } })).toEqual([]);
  });
});

describe("a complaint that no mail reached", () => {
  const unreached: TicketResult[] = [
    [complained, 0],
    [unacknowledged, 1],
  ];

  it("can be acknowledged by post or telephone, which ends its clock", () => {
    const result = asked(unreached, sample.AcknowledgeTicket);
    expect(result).toEqual([
      { type: "TicketAcknowledged", data: { staffId: "staff_1", channel: "telephone" } },
    ]);
    const after = unreached.concat(result.map((event): TicketResult => [event, 2 * day]));
    expect(clockOf(ticketAfter(after))).toMatchObject({ metOn: "2026-11-25" });
    expect(asked(after, sample.AcknowledgeTicket)).toEqual([]);
  });

  it("needs nothing more once the mail went out", () => {
    expect(
      asked(
        [
          [complained, 0],
          [acknowledged, 1],
        ],
        sample.AcknowledgeTicket,
      ),
    ).toEqual([]);
  });
});
