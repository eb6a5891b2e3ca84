import { describe, expect, it } from "vitest";
import { openPaths } from "../../testing/domain/event-leaves-fixture.ts";
import { opened, ticketId, ticketIn, ticketStateAfter } from "../../testing/domain/ticket-fixture.ts";
import { orderIdOf } from "../order/events.ts";
import { ticketEventSchema, ticketEventSchemas, ticketIdOf, ticketStream } from "./events.ts";

describe("the events of a ticket", () => {
  it.each(Object.entries(ticketEventSchemas))(
    "%s has no field that could hold what a person typed",
    (_, { data }) => {
      expect(openPaths(data)).toEqual([]);
    },
  );

  it("are read from the log, each with the fields it names and no other", () => {
    for (const [event] of ticketIn.Purged) expect(ticketEventSchema.parse(event)).toEqual(event);
    const smuggled = { ...opened, data: { ...opened.data, subject: "Where is it?" } };
    expect(ticketEventSchema.safeParse(smuggled).success).toBe(false);
    expect(ticketEventSchema.safeParse({ type: "TicketLost", data: {} }).success).toBe(false);
  });

  it("cannot be folded before the first, nor with a second first", () => {
    expect(() => ticketStateAfter(ticketIn.Closed.slice(1))).toThrow("before TicketOpened");
    expect(() =>
      ticketStateAfter([
        [opened, 0],
        [opened, 1],
      ]),
    ).toThrow("twice");
  });
});

describe("streams", () => {
  it("of tickets give the ticket back, and are none of an order's", () => {
    expect(ticketIdOf(ticketStream(ticketId))).toBe(ticketId);
    expect(orderIdOf(ticketStream(ticketId))).toBeUndefined();
    expect(ticketIdOf(`order-${ticketId}`)).toBeUndefined();
    expect(ticketIdOf("ticket-1")).toBeUndefined();
  });
});
