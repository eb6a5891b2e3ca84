import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openPaths } from "../../testing/domain/event-leaves-fixture.ts";
import { start, uuid } from "../../testing/domain/order-fixture.ts";
import type { CommandMetadata } from "../decider.ts";
import { type CheckoutState, checkoutDecider, preparedMail } from "./checkout.ts";
import {
  type CheckoutCommand,
  type CheckoutEvent,
  checkoutEventSchema,
  checkoutEventSchemas,
} from "./events.ts";
import { divide, totalOf } from "./shares.ts";

const checkoutId = uuid(800);
const [birth, death, marriage] = [uuid(801), uuid(802), uuid(803)];
const by: CommandMetadata = {
  commandId: "",
  at: start,
  actor: { kind: "customer", id: birth },
  correlationId: "",
};
const opened: CheckoutEvent = { type: "CheckoutOpened", data: { checkoutId, orderIds: [birth, death] } };
const requested = (attempt: number, orderIds = [birth, death]): CheckoutEvent => ({
  type: "IntentRequested",
  data: {
    intentId: `pi_${attempt}`,
    attempt,
    shares: orderIds.map((orderId) => ({ orderId, amountPence: 4500 })),
  },
});
const stateAfter = (...events: readonly CheckoutEvent[]): CheckoutState =>
  events.reduce<CheckoutState>(
    (state, event, revision) =>
      checkoutDecider.evolve(state, event, { eventId: uuid(revision), at: start, revision }),
    checkoutDecider.initial,
  );
const asked = (command: CheckoutCommand, ...events: readonly CheckoutEvent[]) =>
  checkoutDecider.decide(stateAfter(...events), command, by);

describe("the events of a checkout", () => {
  it.each(Object.entries(checkoutEventSchemas))("%s has no field for what a person typed", (_, { data }) => {
    expect(openPaths(data)).toEqual([]);
  });

  it("are read from the log, each with the fields it names and no other", () => {
    for (const event of [opened, requested(1)]) expect(checkoutEventSchema.parse(event)).toEqual(event);
    const smuggled = { ...opened, data: { ...opened.data, email: "sian@post.example" } };
    expect(checkoutEventSchema.safeParse(smuggled).success).toBe(false);
  });

  it("cannot be folded before the first, nor with a second first", () => {
    expect(() => stateAfter(requested(1))).toThrow("before CheckoutOpened");
    expect(() => stateAfter(opened, opened)).toThrow("twice");
  });
});

describe("a checkout", () => {
  const open = (...orderIds: string[]): CheckoutCommand => ({
    type: "OpenCheckout",
    data: { checkoutId, orderIds },
  });
  const request = (attempt: number, orderIds?: string[]): CheckoutCommand => {
    const { data } = requested(attempt, orderIds);
    return { type: "RequestIntent", data } as CheckoutCommand;
  };

  it("is opened once, with each order once", () => {
    expect(asked(open(birth, death))).toEqual([opened]);
    expect(() => asked(open(birth, birth))).toThrow("order-twice");
    expect(() => asked(open(birth, death), opened)).toThrow("already-exists");
  });

  it("has one intent after the other, and the same one only once", () => {
    expect(() => asked(request(1))).toThrow("unknown-checkout");
    expect(asked(request(1), opened)).toEqual([requested(1)]);
    expect(asked(request(1), opened, requested(1))).toEqual([]);
    expect(asked(request(2), opened, requested(1))).toEqual([requested(2)]);
    expect(() => asked(request(3), opened, requested(1))).toThrow("wrong-attempt");
  });

  it("has at most twenty intents", () => {
    const before = Array.from({ length: 20 }, (_, nth) => requested(nth + 1));
    expect(asked(request(20), opened, ...before)).toEqual([]);
    expect(() => asked(request(21), opened, ...before)).toThrow("too-many-payment-requests");
  });

  it("pays for no order of another, and for none twice", () => {
    expect(() => asked(request(1, [birth, marriage]), opened)).toThrow("no-such-order");
    expect(() => asked(request(1, [birth, birth]), opened)).toThrow("order-twice");
    expect(asked(request(1, [death]), opened)).toEqual([requested(1, [death])]);
  });
});

it("a confirmation is prepared once for each order, by whichever is first", () => {
  const prepare = (orderId: string): CheckoutCommand => ({
    type: "PrepareConfirmation",
    data: { orderId, orderIds: [birth, death] },
  });
  const prepared: CheckoutEvent = {
    type: "ConfirmationPrepared",
    data: { orderId: death, orderIds: [birth, death] },
  };
  expect(asked(prepare(death), opened, requested(1))).toEqual([prepared]);
  expect(asked(prepare(birth), opened, requested(1), prepared)).toEqual([]);
  const ofOne: CheckoutEvent = {
    type: "ConfirmationPrepared",
    data: { orderId: birth, orderIds: [birth] },
  };
  const ofTheRest: CheckoutEvent = {
    type: "ConfirmationPrepared",
    data: { orderId: death, orderIds: [death] },
  };
  expect(asked(prepare(death), opened, requested(1), ofOne)).toEqual([ofTheRest]);
});

describe("a mail that may tell of several orders", () => {
  const about = (n: number) => uuid(900 + n);
  const told = (orderId: string, ...mails: [string, number][]) => ({
    template: "submitted" as const,
    orderId,
    mails: mails.map(([of, n]) => ({ orderId: of, about: about(n) })),
  });
  const prepare = (...given: Parameters<typeof told>): CheckoutCommand => ({
    type: "PrepareMail",
    data: told(...given),
  });
  const prepared = (...given: Parameters<typeof told>): CheckoutEvent => ({
    type: "MailPrepared",
    data: told(...given),
  });
  const both = [
    [birth, 1],
    [death, 2],
  ] as [string, number][];

  it("is prepared once for each event, by whichever order is first", () => {
    expect(asked(prepare(death, ...both), opened)).toEqual([prepared(death, ...both)]);
    expect(asked(prepare(birth, ...both), opened, prepared(death, ...both))).toEqual([]);
  });

  it("leaves out what another tells of already", () => {
    const earlier = prepared(birth, [birth, 1]);
    expect(asked(prepare(death, ...both), opened, earlier)).toEqual([prepared(death, [death, 2])]);
    expect(asked(prepare(birth, [birth, 3]), opened, earlier)).toEqual([prepared(birth, [birth, 3])]);
  });

  it("is found by the event that it tells of", () => {
    const state = stateAfter(opened, prepared(birth, [birth, 1]), prepared(death, [death, 2]));
    if (!state.isOpened) throw new Error("It was opened.");
    expect(preparedMail(state, death, { template: "submitted", about: about(2) })?.orderId).toBe(death);
    expect(preparedMail(state, death, { template: "submitted", about: about(3) })).toBeUndefined();
    expect(preparedMail(state, birth, { template: "confirmation", about: about(1) })).toBeUndefined();
  });
});

describe("what goes back of a payment", () => {
  const taken = (amountPence: number, orderId = birth) => ({
    returnId: "du_1",
    shares: [{ orderId, amountPence }],
  });
  const divide = (amountPence: number, orderId?: string): CheckoutCommand => ({
    type: "DivideReturn",
    data: taken(amountPence, orderId),
  });
  const divided: CheckoutEvent = { type: "ReturnDivided", data: taken(4500) };

  it("is divided once, by the first report, and anew when its amount changes", () => {
    expect(asked(divide(4500), opened, requested(1))).toEqual([divided]);
    expect(asked(divide(4500, death), opened, requested(1), divided)).toEqual([]);
    const more: CheckoutEvent = { type: "ReturnDivided", data: taken(5000, death) };
    expect(asked(divide(5000, death), opened, requested(1), divided)).toEqual([more]);
    expect(stateAfter(opened, requested(1), divided, more)).toMatchObject({
      returns: new Map([["du_1", [{ orderId: death, amountPence: 5000 }]]]),
    });
  });

  it.each(["__proto__", "constructor"])("may be called %s by the provider", (returnId) => {
    const data = { ...taken(4500), returnId };
    const event: CheckoutEvent = { type: "ReturnDivided", data };
    expect(asked({ type: "DivideReturn", data }, opened, requested(1))).toEqual([event]);
    expect(asked({ type: "DivideReturn", data }, opened, requested(1), event)).toEqual([]);
  });

  it("comes from no order of another", () => {
    expect(() => asked(divide(4500, marriage), opened, requested(1))).toThrow("no-such-order");
  });
});

describe("a sum", () => {
  const shares = [
    { orderId: birth, amountPence: 4500 },
    { orderId: death, amountPence: 6500 },
  ];

  it("as it was asked for is divided as it was asked for", () => {
    expect(divide(11_000, shares)).toEqual(shares);
  });

  it("that falls short leaves out the last, and what is too much goes with the last", () => {
    expect(divide(4500, shares)).toEqual([shares[0]]);
    expect(divide(5000, shares)).toEqual([shares[0], { orderId: death, amountPence: 500 }]);
    expect(divide(12_000, shares)).toEqual([shares[0], { orderId: death, amountPence: 7500 }]);
  });

  it("is divided without a penny lost or made, whatever it is", () => {
    const sums = fc.array(fc.integer({ min: 1, max: 50_000 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(sums, fc.integer({ min: 0, max: 1_000_000 }), (amounts, amountPence) => {
        const wanted = amounts.map((own, nth) => ({ orderId: uuid(nth), amountPence: own }));
        const parts = divide(amountPence, wanted);
        expect(totalOf(parts)).toBe(amountPence);
        expect(parts.every((part) => part.amountPence > 0)).toBe(true);
      }),
    );
  });
});
