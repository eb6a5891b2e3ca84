import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { checkoutDecider } from "../../domain/checkout/checkout.ts";
import { checkoutEventSchema, checkoutEventSchemas } from "../../domain/checkout/events.ts";
import { orderDecider } from "../../domain/order/decide.ts";
import { orderEventSchema, orderEventSchemas } from "../../domain/order/events.ts";
import { draftDecider } from "../../domain/saved-draft/decide.ts";
import { draftEventSchema, draftEventSchemas } from "../../domain/saved-draft/events.ts";
import { settingsDecider } from "../../domain/settings/decide.ts";
import { settingsEventSchema, settingsEventSchemas } from "../../domain/settings/settings.ts";
import { ticketDecider } from "../../domain/ticket/decide.ts";
import { ticketEventSchema, ticketEventSchemas } from "../../domain/ticket/events.ts";
import { acceptanceEventSchemas } from "../../infra/audit/acceptance-events.ts";
import type { Fold } from "../../infra/commands/decider.ts";
import { eventMetadata } from "../../infra/event-store/event-metadata.ts";
import type { StoredEvent } from "../../infra/event-store/event-store.ts";
import { verifyStream } from "../../infra/event-store/hash-chain.ts";
import { createUpcast } from "../../infra/event-store/upcasting.ts";
import type { JsonObject } from "../../infra/json.ts";
import { recordedInstant } from "../../infra/recorded-instant.ts";

/**
 * Histories of released events, stream by stream: a line for each event as it is stored, with the fields of the state
 * that it changed. A file is never edited. `released.sha256`, which `sha256sum -c` reads as well, has their digests.
 */

type Schemas = Readonly<Record<string, { readonly version: number; readonly data: z.ZodType }>>;

type StreamKind = {
  readonly schemas: Schemas;
  /** The state of its stream after each event, as JSON. @throws StreamUnreadable, ZodError */
  readonly statesAfter: (events: readonly StoredEvent[]) => JsonObject[];
};

function kindOf<State, Event>(
  schemas: Schemas & Parameters<typeof createUpcast>[0],
  { parse }: z.ZodType<Event>,
  { initial, evolve }: Fold<State, Event>,
): StreamKind {
  const upcast = createUpcast(schemas);
  return {
    schemas,
    statesAfter: (events) =>
      [...Map.groupBy(events, ({ stream }) => stream)].flatMap(([stream, own]) => {
        verifyStream(stream, own);
        let state = initial;
        return own.map((stored) => {
          const { at } = eventMetadata.parse(stored.metadata);
          state = evolve(state, parse(upcast(stored)), { eventId: stored.id, at, revision: stored.revision });
          return written(state);
        });
      }),
  };
}

/** By the beginning of a file's name. */
export const streamKinds: Readonly<Record<string, StreamKind>> = {
  order: kindOf(orderEventSchemas, orderEventSchema, orderDecider),
  ticket: kindOf(ticketEventSchemas, ticketEventSchema, ticketDecider),
  "saved-draft": kindOf(draftEventSchemas, draftEventSchema, draftDecider),
  checkout: kindOf(checkoutEventSchemas, checkoutEventSchema, checkoutDecider),
  settings: kindOf(settingsEventSchemas, settingsEventSchema, settingsDecider),
  // Nothing folds them.
  "log-acceptance": kindOf(
    acceptanceEventSchemas,
    z.strictObject({ type: z.literal("LogAccepted"), data: acceptanceEventSchemas.LogAccepted.data }),
    { initial: {}, evolve: (state) => state },
  ),
};

export function kindOfFile(name: string): StreamKind {
  const kind = Object.entries(streamKinds).find(([prefix]) => name.startsWith(prefix))?.[1];
  if (!kind) throw new Error(`${name} begins like none of ${Object.keys(streamKinds).join(", ")}.`);
  return kind;
}

const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), z.json());

const written = (state: unknown): JsonObject =>
  jsonObject.parse(
    JSON.parse(
      JSON.stringify(state, (_, value: unknown) =>
        value instanceof Map ? Object.fromEntries(value) : value,
      ),
    ),
  );

const line = z.strictObject({
  event: z.strictObject({
    stream: z.string(),
    revision: z.int(),
    id: z.uuid(),
    type: z.string(),
    data: jsonObject,
    metadata: jsonObject,
    position: z.string(),
    recordedAt: recordedInstant,
  }),
  /** Fields of the state that the event changed; null where it removed one. */
  becomes: jsonObject,
});

export type RecordedLine = z.infer<typeof line>;

const folder = import.meta.dirname;
export const listFile = "released.sha256";

export const historyFiles = (): string[] => readdirSync(folder).filter((name) => name.endsWith(".jsonl"));

export const readHistory = (file: string): RecordedLine[] =>
  readFileSync(join(folder, file), "utf8")
    .trimEnd()
    .split("\n")
    .map((text) => line.parse(JSON.parse(text)));

export const digestOf = (file: string): string =>
  createHash("sha256")
    .update(readFileSync(join(folder, file)))
    .digest("hex");

/** The digest of each file when it was recorded. */
export const listedDigests = (): Map<string, string> =>
  new Map(
    readFileSync(join(folder, listFile), "utf8")
      .trimEnd()
      .split("\n")
      .map((text) => {
        const [digest = "", file = ""] = text.split("  ");
        return [file, digest];
      }),
  );
