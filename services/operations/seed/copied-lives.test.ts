import { expect, it } from "vitest";
import { orderDecider } from "../../../domain/order/decide.ts";
import { orderEventSchema } from "../../../domain/order/events.ts";
import { absent, type OrderState } from "../../../domain/order/state.ts";
import { owed } from "../../../domain/order/tasks/owed.ts";
import { promiseOf } from "../../../domain/promise/timetable.ts";
import { verifyStream } from "../../../infra/event-store/hash-chain.ts";
import { LifeToCopy, pastLife } from "./copied-lives.ts";
import { type Ending, marks } from "./life-steps.ts";
import { seededRandom } from "./seeded-random.ts";

type OrderMarks = Parameters<LifeToCopy["events"]>[0];

const endings: readonly Ending[] = ["fulfilled", "notFound", "cancelled", "failed", "expired"];
const uuid = (kind: number, n: number) => `0f1e2d3c-000${kind}-4000-8000-${String(n).padStart(12, "0")}`;

const anOrder: OrderMarks = {
  orderId: uuid(1, 1),
  contact: uuid(1, 2),
  signature: uuid(1, 3),
  application: uuid(1, 4),
  groReference: uuid(1, 5),
  orderNumber: "0000-0000-00000",
  reference: "REF-2025-7",
  intentId: "pi_copied",
  applicationKey: "1".repeat(64),
  contactKey: "2".repeat(64),
  eventIds: Array.from({ length: 30 }, (_, n) => uuid(2, n)),
  commandIds: Array.from({ length: 30 }, (_, n) => uuid(3, n)),
  startMs: Date.parse("2025-01-17T15:58:00.000Z"),
};

const stored = (life: LifeToCopy, order: OrderMarks) =>
  life.events(order).map((event, n) => ({
    ...event,
    data: JSON.parse(event.data),
    metadata: JSON.parse(event.metadata),
    position: String(n),
    recordedAt: new Date(event.atMs).toISOString(),
  }));

function folded(life: LifeToCopy, order: OrderMarks, most = life.length): OrderState {
  return stored(life, order)
    .slice(0, most)
    .reduce<OrderState>(
      (state, { type, data, id, metadata, revision }) =>
        orderDecider.evolve(state, orderEventSchema.parse({ type, data }), {
          eventId: id,
          at: metadata.at,
          revision,
        }),
      absent,
    );
}

const lives = (seed: number): [Ending, ReturnType<typeof pastLife>][] =>
  endings.map((ending) => [ending, pastLife(seededRandom(seed), ending, 365)]);

it.each(lives(1))(
  "copies a life that %s, chained and in today's shape, with no trace of the original",
  (_, lived) => {
    const life = new LifeToCopy(lived);
    const events = stored(life, anOrder);
    expect(verifyStream(`order-${anOrder.orderId}`, events)).toMatch(/^[0-9a-f]{64}$/);
    for (const { type, data } of events) expect(() => orderEventSchema.parse({ type, data })).not.toThrow();
    const text = JSON.stringify(events);
    for (const mark of [...Object.values(marks), "eeeeeeee", ".137Z"]) expect(text).not.toContain(mark);
  },
);

it.each(lives(2))("leaves no tasks for an order that %s, and no reference into the vault", (_, lived) => {
  const settings = {
    purgeAfterSeconds: 5,
    unpaidExpiresAfterSeconds: 86_400,
    contactRetentionDays: 365,
    submissionRequestedWithinSeconds: 60,
  };
  const order = folded(new LifeToCopy(lived), anOrder);
  if (order.phase === "Absent") throw new Error("The order exists.");
  expect(owed(order, "2028-01-01T00:00:00.000Z", settings)).toEqual([]);
  expect(order.vault).toEqual({
    application: null,
    signature: null,
    contact: null,
    groReferences: [],
    notes: [],
    bankTransfers: [],
    questions: [],
    superseded: [],
  });
});

it.each(lives(3))(
  "copies the record after each event of a life that %s as folding its events gives it",
  (_, lived) => {
    const life = new LifeToCopy(
      lived,
      lived.map(({ after }) => after),
    );
    for (let events = 1; events <= life.length; events++)
      expect(JSON.parse(life.recordAfter(anOrder, events))).toEqual(
        JSON.parse(JSON.stringify(folded(life, anOrder, events))),
      );
    expect(() => life.recordAfter(anOrder, life.length + 1)).toThrow(RangeError);
  },
);

it("promises each order the dates of its own day", () => {
  const lived = pastLife(seededRandom(4), "fulfilled", 365);
  const life = new LifeToCopy(lived);
  const asked = stored(life, anOrder).find(({ type }) => type === "SubmissionRequested");
  const level = lived[1]?.after.variant?.serviceLevel ?? "standard";
  expect(asked?.data.promise).toEqual(promiseOf(level, asked?.metadata.at ?? ""));
});

it("produces the same lives for the same seed, and others for another", () => {
  expect(lives(7)).toEqual(lives(7));
  expect(lives(7)).not.toEqual(lives(8));
});
