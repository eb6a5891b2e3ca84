import { createHash } from "node:crypto";
import { Refused } from "../../domain/decider.ts";
import { orderNumberOf } from "../../domain/numbers.ts";
import type { OrderCommand, OrderCommandType } from "../../domain/order/commands.ts";
import { orderDecider } from "../../domain/order/decide.ts";
import { type OrderEvent, orderEventSchemas, orderStream } from "../../domain/order/events.ts";
import { refundedPence } from "../../domain/order/payment/money.ts";
import { isAlive } from "../../domain/order/personal-data/vault-records.ts";
import { absent, exists, type Order, type OrderState } from "../../domain/order/state.ts";
import type { EventStore, NewEvent } from "../../infra/event-store/event-store.ts";
import { sample } from "../domain/command-fixture.ts";
import { endPurge, nextPurgeStep, notDestroyed } from "../domain/purge-fixture.ts";

/** Random orders: whole lives, decided by the domain, reproducible by seed. */

export type Happening = { readonly stream: string; readonly event: NewEvent };

/** Numbers in [0, 1), reproducible by seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const uuidOf = (name: string): string =>
  createHash("sha256")
    .update(name)
    .digest("hex")
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");

const firstMoment = Date.parse("2026-11-23T09:30:00.000Z");

/** The events of this many orders, interleaved; each order's events stay in order. */
export function randomOrders(seed: number, orders: number, mostCommands = 14): Happening[] {
  const random = randomOf(seed);
  const lives = Array.from({ length: orders }, (_, nth) =>
    lifeOf(`${seed}-${nth}`, nth, random, Math.ceil(random() * mostCommands), checkoutOf(seed, nth)),
  );
  const mixed: Happening[] = [];
  for (let left = lives.filter((life) => life.length > 0); left.length > 0; ) {
    const next = left[Math.floor(random() * left.length)]?.shift();
    if (next) mixed.push(next);
    left = left.filter((life) => life.length > 0);
  }
  return mixed;
}

/** Half of the orders are paid for with two others. */
const checkoutOf = (seed: number, nth: number): string | null =>
  nth % 6 < 3 ? uuidOf(`${seed}-checkout-${Math.floor(nth / 6)}`) : null;

function lifeOf(
  name: string,
  nth: number,
  random: () => number,
  commands: number,
  checkoutId: string | null,
): Happening[] {
  const orderId = uuidOf(name);
  const stream = orderStream(orderId);
  const happened: Happening[] = [];
  let state: OrderState = absent;
  for (let step = 0; step < commands; step++) {
    const command = exists(state)
      ? within(checkoutId, nextCommand(state, random))
      : createCommand(orderId, BigInt(`0x${orderId.replaceAll("-", "").slice(0, 15)}`));
    const at = new Date(firstMoment + (nth * 60 + step * 7) * 1000).toISOString();
    for (const event of decided(state, command, at)) {
      const revision = happened.length;
      const eventId = uuidOf(`${name}-${revision}`);
      state = orderDecider.evolve(state, event, { eventId, at, revision });
      happened.push({ stream, event: stored(event, eventId, at) });
    }
  }
  return happened;
}

const within = (checkoutId: string | null, command: OrderCommand): OrderCommand =>
  command.type === "RequestPayment" ? { ...command, data: { ...command.data, checkoutId } } : command;

function decided(state: OrderState, command: OrderCommand, at: string): readonly OrderEvent[] {
  const kind = command.type === "RequestRefund" ? "staff" : "system";
  const actor = { kind, id: "staff_1" } as const;
  try {
    return orderDecider.decide(state, command, { commandId: "fixture", at, actor, correlationId: "fixture" });
  } catch (error) {
    if (error instanceof Refused) return [];
    throw error;
  }
}

function createCommand(orderId: string, bits: bigint): OrderCommand {
  const { data } = sample.CreateOrder;
  return { type: "CreateOrder", data: { ...data, orderId, orderNumber: orderNumberOf(bits) } };
}

const anyType: readonly OrderCommandType[] = Object.values(sample).map((command) => command.type);

/** Mostly the next step of a successful order, sometimes a failure, or anything at all. */
function nextCommand(order: Order, random: () => number): OrderCommand {
  const pick = <One>(all: readonly One[]): One | undefined => all[Math.floor(random() * all.length)];
  const luck = random();
  if (luck < 0.7) return usualCommand(order);
  return (luck < 0.85 ? pick(mishaps(order)) : undefined) ?? sample[pick(anyType) ?? "CancelOrder"];
}

/** Possible failures in the order's phase. */
function mishaps(order: Order): readonly OrderCommand[] {
  if (order.purges.application.open) return [endPurge(order, "application", notDestroyed)];
  const { about } = order.confirmation;
  const mail = { template: "confirmation", templateVersion: 1, result: "refused" } as const;
  const failed = { intentId: "pi_1", amountPence: 500, code: "declined" } as const;
  return [
    ...(about === null ? [] : [{ type: "RecordMail", data: { ...mail, about } } as const]),
    { type: "RecordGROOutcome", data: { attempt: null, outcome: "queried", questionRef: null } },
    {
      type: "RequestRefund",
      data: { intentId: "pi_1", amountPence: 4000, reason: "staffDecision", approvalAbovePence: 1000 },
    },
    ...order.refunds.map(
      ({ refundId, providerRefundId }) =>
        ({ type: "RecordRefundFailure", data: { ...failed, refundId, providerRefundId } }) as const,
    ),
    // Refunded once, and reclaimed by the bank as well.
    ...(refundedPence(order) > 0
      ? [{ type: "RecordDispute", data: { ...sample.RecordDispute.data, outcome: "lost" } } as const]
      : []),
    ...(order.refunds.some(({ status }) => status === "failed") ? [sample.RecordBankTransfer] : []),
    ...[1, 2, 3].map(
      (n) =>
        ({
          type: "RecordRefundFailure",
          data: { ...failed, refundId: null, providerRefundId: `re_${n}` },
        }) as const,
    ),
  ];
}

function usualCommand(order: Order): OrderCommand {
  const attempt = order.attempts.open?.attempt ?? order.attempts.count + 1;
  switch (order.phase) {
    case "Opened":
      return sample.AddVariant;
    case "Priced":
      return sample.RequestPayment;
    case "AwaitingPayment":
      return { type: "ConfirmPayment", data: { intentId: "pi_1", amountPence: 9000 } };
    case "Paid":
      return order.confirmation.about === null
        ? sample.RequestSubmission
        : {
            type: "RecordMail",
            data: {
              template: "confirmation",
              templateVersion: 1,
              about: order.confirmation.about,
              result: "sent",
            },
          };
    case "Confirmed":
      return { type: "StartSubmission", data: { attempt, channel: "automation" } };
    case "Submitting":
      return { type: "RecordSubmission", data: { ...sample.RecordSubmission.data, attempt } };
    case "Submitted":
      return isAlive(order, "application") ? nextPurgeStep(order, "application") : sample.RecordDispatch;
    case "Dispatched":
      return sample.FulfilOrder;
    default:
      return nextPurgeStep(order, "contact");
  }
}

function stored({ type, data }: OrderEvent, id: string, at: string): NewEvent {
  const schemaVersion = orderEventSchemas[type].version;
  const metadata = {
    commandId: id,
    fingerprint: null,
    actor: { kind: "system", id: "fixture" },
    correlationId: "fixture",
    causationId: null,
    schemaVersion,
    at,
    previousHash: null,
    hash: "",
  };
  return { id, type, data, metadata };
}

/** Appends the events in order. */
export async function happenIn(store: EventStore, happenings: readonly Happening[]): Promise<void> {
  const revisions = new Map<string, number>();
  for (const { stream, event } of happenings) {
    const last = revisions.get(stream);
    const { revision } = await store.append({ stream, expectedRevision: last ?? "none", events: [event] });
    revisions.set(stream, revision);
  }
}
