import {
  type Checkout,
  type CheckoutState,
  checkoutDecider,
  unknownCheckout,
} from "../../../domain/checkout/checkout.ts";
import {
  type CheckoutCommand,
  checkoutEventSchema,
  checkoutEventSchemas,
  checkoutStream,
} from "../../../domain/checkout/events.ts";
import { Turns } from "../../../infra/commands/turns.ts";
import type { Position } from "../../../infra/event-store/event-store.ts";
import { type CommandBusDependencies, type CommandRequest, createCommandBus } from "../../command-bus.ts";

type CheckoutRequest = CommandRequest<CheckoutState, CheckoutCommand> & { readonly checkoutId: string };

/** Loads checkouts and executes commands on them. */
export interface Checkouts {
  /** @throws Refused when a rule forbids it */
  execute(request: CheckoutRequest): Promise<{ readonly checkout: Checkout; readonly position: Position }>;
  /** Undefined if the log has none with this id. */
  find(checkoutId: string): Promise<Checkout | undefined>;
  /**
   * The same as this process last saw it. May be outdated: only for what a command then decides, or what never changes,
   * as which orders it has.
   */
  lastSeen(checkoutId: string): Promise<Checkout | undefined>;
  /** What concerns several orders of a checkout takes turns in this process: who is next finds what was done. */
  inTurn<T>(checkoutId: string, work: () => Promise<T>): Promise<T>;
}

/** Creates the command bus of checkouts on a store. */
export function createCheckouts(ground: CommandBusDependencies): Checkouts {
  const bus = createCommandBus(ground, {
    decider: checkoutDecider,
    eventTypes: checkoutEventSchemas,
    parseEvent: (event) => checkoutEventSchema.parse(event),
    streamOf: checkoutStream,
    starts: ({ type }) => type === "OpenCheckout",
  });
  const turns = new Turns();
  const ifOpened = ({ state }: { readonly state: CheckoutState }) => (state.isOpened ? state : undefined);
  return {
    execute: async ({ checkoutId, ...request }) => {
      const { state, position } = await bus.execute(checkoutId, request);
      if (!state.isOpened) throw unknownCheckout();
      return { checkout: state, position };
    },
    find: async (checkoutId) => ifOpened(await bus.load(checkoutId)),
    lastSeen: async (checkoutId) => ifOpened(await bus.lastSeen(checkoutId)),
    inTurn: (checkoutId, work) => turns.take(checkoutId, work),
  };
}
