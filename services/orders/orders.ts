import { Refused } from "../../domain/decider.ts";
import type { OrderCommand } from "../../domain/order/commands.ts";
import { decide, orderDecider } from "../../domain/order/decide.ts";
import {
  type OrderEvent,
  orderEventSchema,
  orderEventSchemas,
  orderStream,
} from "../../domain/order/events.ts";
import { evolve } from "../../domain/order/evolve.ts";
import { absent, exists, type Order, type OrderState } from "../../domain/order/state.ts";
import type { Cause } from "../../infra/commands/history.ts";
import { type EventMetadata, eventMetadata } from "../../infra/event-store/event-metadata.ts";
import type { EventStore, Position, StoredEvent } from "../../infra/event-store/event-store.ts";
import { verifyStream } from "../../infra/event-store/hash-chain.ts";
import { ifReadable, whileReading } from "../../infra/event-store/stream-unreadable.ts";
import { createUpcast } from "../../infra/event-store/upcasting.ts";
import type { Log } from "../../infra/process/log.ts";
import { correlated } from "../../infra/telemetry/tracing/tracing.ts";
import {
  assertUnchangedSince,
  type CommandBusDependencies,
  type CommandRequest,
  type CommandResult,
  createCommandBus,
  type Loaded,
  type OnBehalf,
} from "../command-bus.ts";

export type { OnBehalf };

type OrderRequest = CommandRequest<OrderState, OrderCommand> & { readonly orderId: string };

/** The order after a command, its revision, and the log position. */
export type OrderResult = { readonly order: Order; readonly revision: number; readonly position: Position };

/** A loaded order, and its last event, which causes what is done next. */
type LoadedOrder = OrderResult & { readonly cause: Cause | undefined };

/** Loads orders and executes commands on them. */
export interface Orders {
  /**
   * @throws Refused when a rule forbids it, or the order has changed since `by` saw it; CommandReused when the id
   * belongs to another command
   */
  execute(request: OrderRequest): Promise<OrderResult>;
  /** @throws Refused `unknown-order` */
  load(orderId: string): Promise<LoadedOrder>;
  /**
   * The order as this process last saw it, if not before revision `since`. May be outdated: only for what a command
   * then decides, or what never changes. @throws Refused `unknown-order`
   */
  lastSeen(orderId: string, since?: number): Promise<LoadedOrder>;
  /** Position of the newest event in the log. */
  head(): Promise<Position>;
  /** Whether a command of this id was executed on the order, which need not exist. */
  knows(orderId: string, commandId: string): Promise<boolean>;
}

/** Creates the command bus of orders on a store. */
export function createOrders(ground: CommandBusDependencies): Orders {
  const bus = createCommandBus(ground, {
    decider: orderDecider,
    eventTypes: orderEventSchemas,
    parseEvent: (event) => orderEventSchema.parse(event),
    streamOf: orderStream,
    starts: ({ type }) => type === "CreateOrder",
    aside: new Set(["PersonalDataRevealed", "NoteAdded"]),
  });
  return {
    execute: async ({ orderId, ...request }) => existing(await bus.execute(orderId, request)),
    load: async (orderId) => existingLoaded(await bus.load(orderId)),
    lastSeen: async (orderId, since) => existingLoaded(await bus.lastSeen(orderId, since)),
    head: () => ground.store.head(),
    knows: bus.knows,
  };
}

const existingLoaded = (loaded: Loaded<OrderState>): LoadedOrder => ({
  ...existing(loaded),
  cause: loaded.cause,
});

function existing({ state, revision, position }: CommandResult<OrderState>): OrderResult {
  if (revision === "none") throw unknownOrder();
  return { order: existingOrder(state), revision, position };
}

/** @throws Refused `unknown-order` */
export function existingOrder(state: OrderState): Order {
  if (exists(state)) return state;
  throw unknownOrder();
}

const unknownOrder = () => new Refused({ code: "unknown-order", phase: "Absent", rule: "unknown-order" });

/**
 * Refuses what executing the command on the loaded order would refuse. For use cases that call a provider before they
 * append: a refused command must have no effect there.
 * @throws Refused `changed-meanwhile`, and by any rule that forbids it
 */
export function assertAcceptable(
  { order, revision }: OrderResult,
  { command, commandId, by, at }: Pick<OrderRequest, "command" | "commandId" | "by"> & { readonly at: Date },
): void {
  assertUnchangedSince(by, revision);
  decide(order, command, { ...by, commandId, at: at.toISOString() });
}

/** The current order; undefined if the log has none with this id. */
export const orderIfKnown = async (orders: Orders, orderId: string): Promise<Order | undefined> =>
  (await loadedIfKnown(orders, orderId))?.order;

/** The same, with its last event. With `since`, as this process last saw it, if not before that revision. */
export async function loadedIfKnown(
  orders: Orders,
  orderId: string,
  since?: number,
): Promise<LoadedOrder | undefined> {
  try {
    return since === undefined ? await orders.load(orderId) : await orders.lastSeen(orderId, since);
  } catch (error) {
    if (error instanceof Refused && error.code === "unknown-order") return undefined;
    throw error;
  }
}

/**
 * Records a provider's report under the request that led to it, so one request id connects the customer's click, the
 * provider's work and the report. The provider's own request id is logged with it. An order
 * that cannot be read names no request: the report may concern others too, and is recorded in those.
 * @throws Refused `unknown-order`, and any error of `record`
 */
export async function underOriginalRequest<T>(
  { orders, log }: { readonly orders: Orders; readonly log: Log },
  orderId: string,
  by: OnBehalf,
  record: (by: OnBehalf) => Promise<T>,
): Promise<T> {
  const { cause } = (await ifReadable(orders.load(orderId))) ?? {};
  if (cause === undefined) return record(by);
  const { correlationId, eventId } = cause;
  return correlated(correlationId, () => {
    log.info(
      { orderId, requestId: by.correlationId, provider: by.actor.id },
      "provider notice matched to its order",
    );
    return record({ ...by, correlationId, causationId: eventId });
  });
}

/** One event of an order with its metadata, and the order right after it. */
export type PastEvent = {
  readonly event: OrderEvent;
  /** As stored, in its original version. */
  readonly stored: StoredEvent;
  readonly metadata: EventMetadata;
  readonly order: Order;
};

/** Reads an order's events in order; empty if there is no such order. @throws StreamUnreadable */
export type ReadOrderHistory = (orderId: string) => Promise<readonly PastEvent[]>;

const upcast = createUpcast(orderEventSchemas);

export function createOrderHistory(store: Pick<EventStore, "readStream">): ReadOrderHistory {
  return async (orderId) => {
    const stream = orderStream(orderId);
    const events = await store.readStream(stream);
    return whileReading(stream, () => {
      verifyStream(stream, events);
      const past: PastEvent[] = [];
      for (const stored of events) past.push(after(past.at(-1)?.order, stored));
      return past;
    });
  };
}

function after(before: Order | undefined, stored: StoredEvent): PastEvent {
  const event = orderEventSchema.parse(upcast(stored));
  const metadata = eventMetadata.parse(stored.metadata);
  const recorded = { eventId: stored.id, at: metadata.at, revision: stored.revision };
  const order = evolve(before ?? absent, event, recorded);
  if (!exists(order)) throw new Error(`There is no order after ${event.type}.`);
  return { event, stored, metadata, order };
}
