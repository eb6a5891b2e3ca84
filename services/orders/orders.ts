import { Refused } from "../../domain/decider.ts";
import type { OrderCommand } from "../../domain/order/commands.ts";
import { orderDecider } from "../../domain/order/decide.ts";
import { orderEventSchema, orderEventSchemas, orderStream } from "../../domain/order/events.ts";
import { exists, type Order, type OrderState } from "../../domain/order/state.ts";
import type { Cause } from "../../infra/commands/history.ts";
import type { Position } from "../../infra/event-store/event-store.ts";
import {
  type CommandBusDependencies,
  type CommandRequest,
  type CommandResult,
  createCommandBus,
  type OnBehalf,
} from "../command-bus.ts";

export type { OnBehalf };

/** A command on its way to an order. */
export type OrderRequest = CommandRequest<OrderState, OrderCommand> & { readonly orderId: string };

/** The order after a command, the revision of its last event, and where the log then stood. */
export type OrderResult = { readonly order: Order; readonly revision: number; readonly position: Position };

/** The order as it was found, and the event that whatever is done next follows from. */
export type LoadedOrder = OrderResult & { readonly cause: Cause | undefined };

/** Loads orders and tells them commands. */
export interface Orders {
  /** @throws Refused when a rule forbids it, or what `by` has seen is no longer so; CommandReused when the id was used for another command */
  execute(request: OrderRequest): Promise<OrderResult>;
  /** @throws Refused `unknown-order` */
  load(orderId: string): Promise<LoadedOrder>;
  /** Position of the newest event of all. */
  head(): Promise<Position>;
  /** Whether an order, or none yet, was told the command of this id. */
  knows(orderId: string, commandId: string): Promise<boolean>;
}

/** Puts the decider of orders on a store. */
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
    load: async (orderId) => {
      const loaded = await bus.load(orderId);
      return { ...existing(loaded), cause: loaded.cause };
    },
    head: () => ground.store.head(),
    knows: bus.knows,
  };
}

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

/** The order as it stands, undefined when the log has none of this id. */
export const orderIfKnown = async (orders: Orders, orderId: string): Promise<Order | undefined> =>
  (await loadedIfKnown(orders, orderId))?.order;

/** The same with what it came from. */
export async function loadedIfKnown(orders: Orders, orderId: string): Promise<LoadedOrder | undefined> {
  try {
    return await orders.load(orderId);
  } catch (error) {
    if (error instanceof Refused && error.code === "unknown-order") return undefined;
    throw error;
  }
}
