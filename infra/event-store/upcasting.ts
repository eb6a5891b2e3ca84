import type { JsonObject } from "../json.ts";
import { eventMetadata } from "./event-metadata.ts";
import type { StoredEvent } from "./event-store.ts";
import { StreamUnreadable } from "./stream-unreadable.ts";

/**
 * The shapes one type of event has had. `version` is the one that is written today, from 1; `upcasts[n]` makes version n + 1
 * of version n, and may look at the event's metadata. What was written once is never changed: it is lifted on every read.
 */
export type EventHistory = {
  readonly version: number;
  readonly upcasts?: Readonly<Record<number, (data: JsonObject, metadata: JsonObject) => JsonObject>>;
};

/** The histories of all types that can be read. */
export type EventTypes = Readonly<Record<string, EventHistory>>;

/** A type or a version this code cannot read. It is never skipped: code that reads it is deployed before code that appends it. */
export class UnknownEventType extends StreamUnreadable {
  override name = "UnknownEventType";
  readonly type: string;
  readonly version: number;
  constructor(stream: string, type: string, version: number) {
    super(stream, "unknown-type", `There is no reading events of type ${type}, version ${version}.`);
    this.type = type;
    this.version = version;
  }
}

/** Lifts an event's data to today's shape, answering type and data only. Verify the hash chain before. */
export type Upcast = (event: StoredEvent) => { type: string; data: JsonObject };

// Made once: zod compiles a schema at its first use, and doing that for each event took two thirds of a rebuild's time.
const versioned = eventMetadata.pick({ schemaVersion: true });

/**
 * Makes the reader of old shapes. It throws UnknownEventType.
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
