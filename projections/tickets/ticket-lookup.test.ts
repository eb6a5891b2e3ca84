import { describe, expect, it } from "vitest";
import { addSeconds } from "../../domain/instant.ts";
import { ticketStream } from "../../domain/ticket/events.ts";
import { start, uuid } from "../../testing/domain/order-fixture.ts";
import {
  linked,
  noted,
  opened,
  type TicketResult,
  ticketAfter,
  ticketId,
  ticketIn,
  turned,
  wrote,
} from "../../testing/domain/ticket-fixture.ts";
import { storedFrom } from "../../testing/projections/stored-history-fixture.ts";
import { foldRows } from "../runner/table-writer.ts";
import { lookupOf, ticketLookup } from "./ticket-lookup.ts";

const stream = ticketStream(ticketId);

describe("the support page's read model", () => {
  it("follows only tickets", () => {
    const [event] = storedFrom([[opened, 0]], stream);
    expect(event && ticketLookup.keyOf(stream, event)).toBe(ticketId);
    expect(event && ticketLookup.keyOf(`order-${ticketId}`, event)).toBeUndefined();
  });

  it("folds the domain's state", () => {
    const history: TicketResult[] = [...ticketIn.Closed, [wrote(1), 300], [turned("Open"), 300]];
    const [row] = foldRows(ticketLookup, new Map(), storedFrom(history, stream));
    expect(row?.folded).toEqual(ticketAfter(history));
  });

  it("has messages of both sides, oldest first, and no note of staff", () => {
    const found = lookupOf(ticketAfter([...ticketIn.Waiting, [noted, 150], [wrote(1), 300]]));
    expect(found.messages).toMatchObject([
      { messageId: uuid(0), author: "customer", at: start, ref: uuid(302) },
      { messageId: uuid(2), author: "staff", at: addSeconds(start, 100), ref: uuid(303) },
      { messageId: uuid(5), author: "customer", at: addSeconds(start, 300), ref: uuid(401) },
    ]);
    expect(JSON.stringify(found)).not.toContain(uuid(304));
  });

  it("shows the customer changes by messages and turns, not by internal staff actions", () => {
    const inside: TicketResult[] = [
      [noted, 900],
      [{ type: "TicketAssigned", data: { assignee: "staff_2" } }, 901],
      [linked, 902],
    ];
    const before = lookupOf(ticketAfter(ticketIn.Waiting));
    expect(lookupOf(ticketAfter([...ticketIn.Waiting, ...inside]))).toEqual(before);
    expect(before.updatedAt).toBe(addSeconds(start, 100));
    expect(lookupOf(ticketAfter([...ticketIn.Waiting, [turned("Closed"), 500]])).updatedAt).toBe(
      addSeconds(start, 500),
    );
  });

  it("references no record after the purge", () => {
    const { contactRef, messages, status, purgedAt } = lookupOf(ticketAfter(ticketIn.Purged));
    expect([contactRef, ...messages.map(({ ref }) => ref)]).toEqual([null, null, null]);
    expect([status, purgedAt]).toEqual(["Closed", addSeconds(start, 40_000_000)]);
  });
});
