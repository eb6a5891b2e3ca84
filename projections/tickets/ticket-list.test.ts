import { describe, expect, it } from "vitest";
import { addSeconds } from "../../domain/instant.ts";
import type { TicketEvent } from "../../domain/ticket/events.ts";
import { ticketStream } from "../../domain/ticket/events.ts";
import { start } from "../../testing/domain/order-fixture.ts";
import {
  acknowledged,
  complained,
  heldOrderId,
  linked,
  looked,
  noted,
  opened,
  type TicketResult,
  ticketId,
  ticketIn,
  ticketPurged,
  turned,
  unacknowledged,
  wrote,
} from "../../testing/domain/ticket-fixture.ts";
import { rowAfter } from "../../testing/projections/stored-history-fixture.ts";
import { ticketList } from "./ticket-list.ts";

const stream = ticketStream(ticketId);
const assigned: TicketEvent = { type: "TicketAssigned", data: { assignee: "staff_2" } };
const unreached: readonly TicketResult[] = [
  [complained, 0],
  [unacknowledged, 1],
];

const entryAfter = (history: readonly TicketResult[]) => rowAfter(ticketList, history, stream).entry;

describe("a line of the inbox", () => {
  it("shows since when and for which side the ticket waits, the assignee and the last message", () => {
    const entry = entryAfter([...ticketIn.Waiting, [noted, 150], [assigned, 160], [linked, 170]]);
    expect(entry).toMatchObject({
      status: "Waiting",
      since: addSeconds(start, 100),
      assignee: "staff_2",
      messages: 2,
      notes: 1,
      lastMessage: { author: "staff", at: addSeconds(start, 100) },
      orderId: heldOrderId,
    });
    const again = entryAfter([...ticketIn.Waiting, [wrote(1), 300], [turned("Open"), 300]]);
    expect(again).toMatchObject({
      status: "Open",
      since: addSeconds(start, 300),
      messages: 3,
      lastMessage: { author: "customer" },
    });
  });

  it("waits since the first unanswered message, whatever came after it", () => {
    expect(entryAfter([...ticketIn.Open, [wrote(1), 50], [looked(), 60]])).toMatchObject({ since: start });
  });

  it("references no vault record, not even by id", () => {
    const { entry } = rowAfter(ticketList, [...ticketIn.Waiting, [noted, 150]], stream);
    const { contactRef, messageRef } = opened.data;
    for (const ref of [contactRef, messageRef]) expect(JSON.stringify(entry)).not.toContain(ref);
  });
});

describe("a mail that did not arrive", () => {
  const sent: TicketResult = [{ type: "MailSent", data: { ...acknowledged.data } }, 1];
  const bounce = (kind: "hard" | "soft" | "spam" | "complaint"): TicketResult => {
    const { template, about } = acknowledged.data;
    return [{ type: "MailBounced", data: { template, about, kind, code: "" } }, 2];
  };
  const shows = (undelivered: boolean, ...history: TicketResult[]) =>
    expect(entryAfter([[opened, 0], ...history])).toMatchObject({ undelivered });

  it("shows until it is sent again, whether it was refused or came back", () => {
    shows(false, sent);
    shows(true, [unacknowledged, 1]);
    shows(true, sent, bounce("hard"));
    shows(true, sent, bounce("spam"));
    const again: TicketResult = [{ type: "TicketLinkReplaced", data: { generation: 2 } }, 3];
    shows(false, sent, bounce("hard"), again);
  });

  it("does not show while it is tried again, or if it arrived and was not wanted", () => {
    shows(false, sent, bounce("soft"));
    shows(false, sent, bounce("complaint"));
  });

  it("no longer shows once the address is destroyed", () => {
    const purged: TicketResult[] = [
      [turned("Closed"), 200],
      [ticketPurged, 40_000_000],
    ];
    shows(false, sent, bounce("hard"), ...purged);
  });
});

describe("the statutory deadline", () => {
  const dueOn = (history: readonly TicketResult[]) => rowAfter(ticketList, history, stream).due_on;

  it("is listed until it is met", () => {
    expect(dueOn(unreached)).toBe("2026-12-22");
    expect(dueOn([...unreached, [turned("Closed"), 200]])).toBe("2026-12-22");
    expect(
      dueOn([
        [complained, 0],
        [acknowledged, 1],
      ]),
    ).toBeNull();
    expect(dueOn(ticketIn.Open)).toBeNull();
  });

  it("and a pending manual acknowledgement end with the purge of the texts", () => {
    const row = rowAfter(ticketList, unreached, stream);
    expect(row.unreached).toBe(true);
    const purged: TicketResult[] = [...unreached, [turned("Closed"), 200], [ticketPurged, 40_000_000]];
    expect(rowAfter(ticketList, purged, stream)).toMatchObject({
      due_on: null,
      unreached: false,
      status: "Closed",
    });
  });
});
