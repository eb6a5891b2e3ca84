import { z } from "zod";
import type { CommandMetadata, Decider } from "../../domain/decider.ts";
import { createCommandHandler } from "../../infra/commands/command-handler.ts";
import type { EventStore } from "../../infra/event-store/event-store.ts";
import { boundStore } from "./store-fixture.ts";

/** A jar of coins: a minimal domain for tests of the handler. */
export type JarCommand =
  | { type: "PutCoins"; data: { coins: number[] } }
  | { type: "Seal"; data: { by: string } };
type JarEvent = { type: "CoinPut"; data: { pence: number } } | { type: "JarSealed"; data: { total: number } };
type Jar = { total: number; coins: number; sealed: boolean; lastEventId: string | null };

const jarEvent: z.ZodType<JarEvent> = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("CoinPut"), data: z.strictObject({ pence: z.int() }) }),
  z.strictObject({ type: z.literal("JarSealed"), data: z.strictObject({ total: z.int() }) }),
]);

/** A sealed jar accepts no more coins; sealing it twice changes nothing. */
export const jarDecider: Decider<Jar, JarCommand, JarEvent> = {
  initial: { total: 0, coins: 0, sealed: false, lastEventId: null },
  evolve(jar, event, { eventId }) {
    switch (event.type) {
      case "CoinPut":
        return { ...jar, total: jar.total + event.data.pence, coins: jar.coins + 1, lastEventId: eventId };
      case "JarSealed":
        return { ...jar, sealed: true, lastEventId: eventId };
    }
  },
  decide(jar, command) {
    switch (command.type) {
      case "PutCoins":
        if (jar.sealed) throw new JarIsSealed("The jar is sealed.");
        return command.data.coins.map((pence) => ({ type: "CoinPut", data: { pence } }));
      case "Seal":
        return jar.sealed ? [] : [{ type: "JarSealed", data: { total: jar.total } }];
    }
  },
};

export class JarIsSealed extends Error {}

export const jarReading = {
  eventTypes: { CoinPut: { version: 1 }, JarSealed: { version: 1 } },
  parseEvent: (event: { type: string; data: unknown }) => jarEvent.parse(event),
};

/** A handler of jars that retries at once, or after `pause`. */
export const jarHandler = (store: EventStore, pause: (ms: number) => Promise<void> = async () => undefined) =>
  createCommandHandler({ store, decider: jarDecider, ...jarReading, random: Math.random, pause });

export const put = (...coins: number[]): JarCommand => ({ type: "PutCoins", data: { coins } });
export const sealJar: JarCommand = { type: "Seal", data: { by: "anyone" } };

/** Metadata under a given command id. */
export function as(commandId: string, at = "2026-11-21T09:30:00.000Z"): CommandMetadata {
  return { commandId, at, actor: { kind: "customer", id: "someone" }, correlationId: "request-1" };
}

/** A store with its `append` replaced. */
export function withAppend(store: EventStore, append: EventStore["append"]): EventStore {
  return { ...boundStore(store), append };
}
