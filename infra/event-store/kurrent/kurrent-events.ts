import type { AllStreamRecordedEvent, EventData, RecordedEvent } from "@eventstore/db-client";
import type { Json, JsonObject } from "../../json.ts";
import type { NewEvent, StoredEvent } from "../event-store.ts";
import type { EncodedEvent } from "../postgres/append-request.ts";
import { positionOfPlace } from "./kurrent-position.ts";

/** The names that one log has on a server it may share with others: its streams begin with the prefix, and nothing else does. */
export type LogNames = { prefix: string; identity: string };

/** `name` is letters, digits and hyphens. */
export const namesOf = (name: string): LogNames => ({ prefix: `${name}.`, identity: `${name}-log-id` });

const text = new TextEncoder();

/**
 * An event as it goes over the wire, under an id of the append's own. The server takes an id that it knows for a repeat and answers success
 * although it wrote nothing, which would let two rivals with the same command both win; our own id goes beside the metadata.
 */
export function wireEvent(event: NewEvent, encoded: EncodedEvent, wireId: string): EventData {
  return {
    id: wireId,
    contentType: "application/json",
    type: event.type,
    // What JSON made of it: the client serialises inside a promise that never settles if that throws.
    data: JSON.parse(encoded.data),
    metadata: text.encode(`{"id":"${event.id}","metadata":${encoded.metadata}}`),
  };
}

/** How many bytes the server counts for an event: what `wireEvent` makes of it, and its type in UTF-16. */
export function wireBytes(encoded: EncodedEvent): number {
  const { data, metadata, type } = encoded;
  return Buffer.byteLength(data) + Buffer.byteLength(metadata) + envelopeBytes + type.length * 2;
}

const envelopeBytes = `{"id":"${"0".repeat(36)}","metadata":}`.length;

/**
 * An event as the port has it. One that another program wrote under our prefix has neither data nor hash: whatever verifies its stream refuses
 * that, and the log can be read beyond it.
 */
export function storedEvent(
  recorded: RecordedEvent | AllStreamRecordedEvent,
  { prefix }: LogNames,
): StoredEvent {
  const { streamId, revision, type, data, metadata: envelope, created, position } = recorded;
  const stream = streamId.slice(prefix.length);
  if (!position) throw new Error(`The server tells no position for event ${revision} of ${streamId}.`);
  const { id, metadata } = isJsonObject(envelope) ? envelope : {};
  const isOurs = typeof id === "string" && isJsonObject(metadata) && isJsonObject(data);
  return {
    ...(isOurs ? { id, data, metadata } : { id: recorded.id, data: {}, metadata: {} }),
    type,
    stream,
    revision: Number(revision),
    position: positionOfPlace(position),
    recordedAt: created.toISOString(),
  };
}

/** Its values came from JSON.parse. */
function isJsonObject(value: unknown): value is JsonObject & { readonly [key: string]: Json } {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}
