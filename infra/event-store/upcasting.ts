import type { JsonObject } from "../json.ts";
import { eventMetadata } from "./event-metadata.ts";
import type { StoredEvent } from "./event-store.ts";
import { StreamUnreadable } from "./stream-unreadable.ts";

/**
 * The shapes of one type of event. `version` is the current one, from 1; `upcasts[n]` turns version n into n + 1, and
 * may read the event's metadata. Stored events never change: they are upcast on every read.
 */
type EventHistory = {
  readonly version: number;
  readonly upcasts?: Readonly<Record<number, (data: JsonObject, metadata: JsonObject) => JsonObject>>;
};

/** The histories of all known event types. */
export type EventTypes = Readonly<Record<string, EventHistory>>;

/**
 * A type or version unknown to this code. Never skipped: code that reads it is deployed before code that appends it.
 */
export class UnknownEventType extends StreamUnreadable {
  override name = "UnknownEventType";
  readonly type: string;
  readonly version: number;
  constructor(stream: string, type: string, version: number) {
    super(stream, "unknown-type", `Events of type ${type}, version ${version}, cannot be read.`);
    this.type = type;
    this.version = version;
  }
}

/** Upcasts an event's data to today's shape, returning type and data only. Verify the hash chain first. */
type Upcast = (event: StoredEvent) => { type: string; data: JsonObject };

// Created once: zod compiles a schema on first use, and doing so per event took two thirds of a rebuild's time.
const versioned = eventMetadata.pick({ schemaVersion: true });

/**
 * Creates the upcast function, which throws UnknownEventType.
 * @throws Error at once when a step between two versions is missing
 */
export function createUpcast(types: EventTypes): Upcast {
  for (const [type, { version, upcasts = {} }] of Object.entries(types))
    for (let from = 1; from < version; from++)
      if (!upcasts[from]) throw new Error(`Type ${type} has no step from version ${from} to ${from + 1}.`);
  return ({ stream, type, data, metadata }) => {
    const { schemaVersion } = versioned.parse(metadata);
    const history = Object.hasOwn(types, type) ? types[type] : undefined;
    if (!history || schemaVersion > history.version) throw new UnknownEventType(stream, type, schemaVersion);
    let lifted = data;
    for (let from = schemaVersion; from < history.version; from++)
      lifted = history.upcasts?.[from]?.(lifted, metadata) ?? lifted;
    return { type, data: lifted };
  };
}
