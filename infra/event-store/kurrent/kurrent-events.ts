import type { AllStreamRecordedEvent, EventData, RecordedEvent } from "@eventstore/db-client";
import type { Json, JsonObject } from "../../json.ts";
import type { NewEvent, StoredEvent } from "../event-store.ts";
import type { EncodedEvent } from "../postgres/append-request.ts";
import { positionOfPlace } from "./kurrent-position.ts";

/** Names of one log on a shared server: all its streams, and no others, begin with the prefix. */
export type LogNames = { prefix: string; identity: string };

/** `name` is letters, digits and hyphens. */
export const namesOf = (name: string): LogNames => ({ prefix: `${name}.`, identity: `${name}-log-id` });

const text = new TextEncoder();

/**
 * An event for the wire, under an id unique to the append. The server treats a known id as a repeat and reports success
 * without writing, which would let two competing appends of the same command both win; our own id goes into the
 * metadata.
 */
export function wireEvent(event: NewEvent, encoded: EncodedEvent, wireId: string): EventData {
  return {
    id: wireId,
    contentType: "application/json",
    type: event.type,
    // Parsed back from JSON: the client serialises inside a promise that never resolves if that throws.
    data: JSON.parse(encoded.data),
    metadata: text.encode(`{"id":"${event.id}","metadata":${encoded.metadata}}`),
  };
}

/** Bytes the server counts for an event: the output of `wireEvent`, and its type in UTF-16. */
export function wireBytes(encoded: EncodedEvent): number {
  const { data, metadata, type } = encoded;
  return Buffer.byteLength(data) + Buffer.byteLength(metadata) + envelopeBytes + type.length * 2;
}

const envelopeBytes = `{"id":"${"0".repeat(36)}","metadata":}`.length;

/**
 * A stored event. One that another program wrote under our prefix has neither data nor hash: verifying its stream
 * fails, but the log can be read beyond it.
 */
export function storedEvent(
  recorded: RecordedEvent | AllStreamRecordedEvent,
  { prefix }: LogNames,
): StoredEvent {
  const { streamId, revision, type, data, metadata: envelope, created, position } = recorded;
  const stream = streamId.slice(prefix.length);
  if (!position) throw new Error(`The server gave no position for event ${revision} of ${streamId}.`);
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

/** The values came from JSON.parse. */
function isJsonObject(value: unknown): value is JsonObject & { readonly [key: string]: Json } {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}
