import { describe, expect, it } from "vitest";
import {
  cancelled,
  historyTo,
  orderAfter,
  start,
  type TimedEvent,
  uuid,
} from "../../testing/domain/order-fixture.ts";
import {
  acknowledged,
  answered,
  heldOrderId,
  linked,
  opened,
  type TicketResult,
  ticketAfter,
  ticketIn,
  turned,
  unacknowledged,
} from "../../testing/domain/ticket-fixture.ts";
import { addDays, addSeconds } from "../instant.ts";
import type { Order } from "../order/state.ts";
import { ticketOwed } from "./owed.ts";

const settings = {
  purgeAfterSeconds: 5,
  unpaidExpiresAfterSeconds: 86_400,
  contactRetentionDays: 365,
  submissionRequestedWithinSeconds: 60,
};
const day = 86_400;
const at = (seconds: number) => addSeconds(start, seconds);
const tasks = (history: readonly TicketResult[], order?: Order) =>
  ticketOwed(ticketAfter(history), order, settings);

const contactPurgedAfter = (history: readonly TimedEvent[], seconds: number): Order =>
  orderAfter([
    ...history,
    [
      {
        type: "ContactDataPurged",
        data: {
          startedBy: null,
          destroyed: ["contact"],
          rule: "retention",
          keyFingerprint: "ab".repeat(32),
          probe: "unreadable",
          records: 1,
        },
      },
      seconds,
    ],
  ]);

describe("mails of a ticket", () => {
  it("are owed at once: the acknowledgement, an answer, a new link; never for what the customer wrote", () => {
    const acknowledgement = {
      kind: "mail",
      name: `mail-ticketOpened-${uuid(0)}`,
      dueAt: start,
      template: "ticketOpened",
      about: uuid(0),
    };
    expect(tasks(ticketIn.Open)).toEqual([acknowledgement]);
    expect(
      tasks([
        [opened, 0],
        [answered, 5],
      ]),
    ).toMatchObject([acknowledgement, { template: "ticketAnswered", about: uuid(1), dueAt: at(5) }]);
    expect(
      tasks([...ticketIn.Open, [{ type: "TicketLinkReplaced", data: { generation: 2 } }, 9]]),
    ).toMatchObject([acknowledgement, { template: "ticketLink", about: uuid(1), dueAt: at(9) }]);
  });

  it("are owed no longer once they were sent, or could not be delivered", () => {
    for (const event of [acknowledged, unacknowledged]) {
      expect(
        tasks([
          [opened, 0],
          [event, 1],
        ]),
      ).toEqual([]);
    }
  });
});

describe("a ticket that waits for the customer", () => {
  it("is closed after thirty days of silence, counted from the answer", () => {
    expect(tasks(ticketIn.Waiting).filter(({ kind }) => kind === "close")).toEqual([
      { kind: "close", name: `close-${Date.parse(at(100))}`, dueAt: addDays(at(100), 30) },
    ]);
    expect(
      tasks([...ticketIn.Waiting, [turned("Open"), 200]]).filter(({ kind }) => kind === "close"),
    ).toEqual([]);
  });

  it("is closed after thirty days of silence, counted from the latest answer", () => {
    expect(tasks([...ticketIn.Waiting, [answered, 29 * day]])).toContainEqual(
      expect.objectContaining({ kind: "close", dueAt: addDays(at(29 * day), 30) }),
    );
  });
});

describe("what was written in a ticket", () => {
  const purges = (history: readonly TicketResult[], order?: Order) =>
    tasks(history, order).filter(({ kind }) => kind === "purge");
  const closedAndLinked: TicketResult[] = [
    [opened, 0],
    [linked, 1],
    [turned("Closed"), 200],
  ];

  it("is purged a year after closing, and not while the ticket is open", () => {
    expect(purges(ticketIn.Closed)).toEqual([
      {
        kind: "purge",
        name: "purge-ticket-1",
        dueAt: addDays(at(200), 365),
        rule: "retention",
        attempt: 1,
        follows: null,
      },
    ]);
    expect(purges(ticketIn.Open)).toEqual([]);
    expect(purges(ticketIn.Waiting)).toEqual([]);
    expect(purges([...ticketIn.Closed, [turned("Open"), 300]])).toEqual([]);
  });

  it("stays a year from an answer to a closed ticket", () => {
    expect(purges([...ticketIn.Closed, [answered, 364 * day]])).toMatchObject([
      { dueAt: addDays(at(364 * day), 365) },
    ]);
  });

  it("goes with the contact data of the order it is linked to, as soon as the ticket is closed", () => {
    const order = contactPurgedAfter(historyTo.Fulfilled, 10 * day);
    expect(purges(closedAndLinked, order)).toMatchObject([{ dueAt: at(10 * day), rule: "orderPurged" }]);
    const closedLater: TicketResult[] = [
      [opened, 0],
      [linked, 1],
      [turned("Closed"), 20 * day],
    ];
    expect(purges(closedLater, order)).toMatchObject([{ dueAt: at(20 * day), rule: "orderPurged" }]);
  });

  it("stays its year when the order stays, when it was linked to one already purged, or one never paid", () => {
    const year = [{ rule: "retention", dueAt: addDays(at(200), 365), follows: heldOrderId }];
    expect(purges(closedAndLinked, orderAfter(historyTo.Fulfilled))).toMatchObject(year);
    const linkedLater: TicketResult[] = [
      [opened, 0],
      [linked, 150],
      [turned("Closed"), 200],
    ];
    expect(purges(linkedLater, contactPurgedAfter(historyTo.Cancelled, 100))).toMatchObject(year);
    const neverPaid: TimedEvent[] = [...historyTo.AwaitingPayment, [cancelled, 70]];
    expect(purges(closedAndLinked, contactPurgedAfter(neverPaid, 80))).toMatchObject(year);
  });

  it("is retried a little later each time it fails, under a new name", () => {
    const failed: TicketResult = [
      { type: "PurgeFailed", data: { code: "keyRingUnavailable", attempt: 1 } },
      366 * day,
    ];
    expect(purges([...ticketIn.Closed, failed])).toMatchObject([
      { name: "purge-ticket-2", dueAt: at(366 * day + 10), attempt: 2 },
    ]);
  });

  it("leaves nothing owed once it is purged, not even a mail", () => {
    const before: TicketResult[] = [
      ...ticketIn.Closed,
      [{ type: "TicketLinkReplaced", data: { generation: 2 } }, 300],
    ];
    expect(tasks(before).map(({ kind }) => kind)).toContain("mail");
    const last = ticketIn.Purged.at(-1);
    expect(last && tasks([...before, last])).toEqual([]);
  });
});
