import { type Actor, Refused } from "../../domain/decider.ts";
import type { OrderCommand } from "../../domain/order/commands.ts";
import { orderDecider } from "../../domain/order/decide.ts";
import { orderEventSchema, orderEventSchemas, orderStream } from "../../domain/order/events.ts";
import { exists, type Order, type OrderState } from "../../domain/order/state.ts";
import type { EventStore, Position } from "../../infra/event-store/event-store.ts";
import { createCommandHandler } from "./handler.ts";

/** On whose behalf a use-case runs, and the event that made a policy run it. */
export type OnBehalf = {
  readonly actor: Actor;
  readonly correlationId: string;
  readonly causationId?: string;
};

/** A command on its way to an order. */
export type OrderRequest = {
  readonly orderId: string;
  readonly command: OrderCommand;
  readonly commandId: string;
  readonly by: OnBehalf;
  /** For commands that carry what a person typed; SHA-256 of the command unless given. */
  readonly fingerprint?: () => Promise<string | null>;
};

/** The order after a command, and where the log then stood. */
export type Told = { readonly order: Order; readonly position: Position };

/** Loads orders and tells them commands. */
export interface Orders {
  /** @throws Refused when a rule forbids it; CommandReused when the id was used for another command */
  tell(request: OrderRequest): Promise<Told>;
  /** @throws Refused `unknown-order` */
  load(orderId: string): Promise<Told>;
  /** Position of the newest event of all. */
  head(): Promise<Position>;
  /** Whether an order, or none yet, was told the command of this id. */
  knows(orderId: string, commandId: string): Promise<boolean>;
}

/** Puts the decider of orders on a store. `random`, in [0, 1), spreads the tries of rivals for one order. */
export function createOrders(parts: { store: EventStore; random: () => number; now: () => Date }): Orders {
  const handler = createCommandHandler({
    store: parts.store,
    decider: orderDecider,
    eventTypes: orderEventSchemas,
    parseEvent: (event) => orderEventSchema.parse(event),
    random: parts.random,
  });
  const metadataOf = (commandId: string, { actor, correlationId }: OnBehalf) => ({
    commandId,
    at: parts.now().toISOString(),
    actor,
    correlationId,
  });
  return {
    tell: async ({ orderId, command, commandId, by, fingerprint }) => {
      const told = await handler.handle({
        stream: orderStream(orderId),
        command,
        metadata: metadataOf(commandId, by),
        startsStream: command.type === "CreateOrder",
        ...(by.causationId !== undefined && { causationId: by.causationId }),
        ...(fingerprint && { fingerprint }),
      });
      return { order: existing(told.state), position: told.position };
    },
    load: async (orderId) => {
      const { state, position } = await handler.load(orderStream(orderId));
      return { order: existing(state), position };
    },
    head: () => parts.store.head(),
    knows: async (orderId, commandId) => {
      const { commands } = await handler.load(orderStream(orderId));
      return commands.has(commandId);
    },
  };
}

function existing(state: OrderState): Order {
  if (exists(state)) return state;
  throw new Refused({ code: "unknown-order", phase: state.phase, rule: "unknown-order" });
}
