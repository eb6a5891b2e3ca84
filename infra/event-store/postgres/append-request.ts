import type { AppendRequest, CompanionRow, NewEvent } from "../event-store.ts";
import { bytesOf, uuidBytes } from "./companions.ts";

/** An event ready to send: the id as its 16 bytes, data and metadata as JSON text. */
export type EncodedEvent = { id: Buffer; type: string; data: string; metadata: string };

/**
 * A checked and serialised append. `expected` is -1 for a new stream; `bytes` is its size as JSON, with its companions.
 */
export type EncodedAppend = {
  stream: string;
  expected: number;
  events: readonly EncodedEvent[];
  companions: readonly CompanionRow[];
  bytes: number;
};

/** The append limit of the strictest supported store. */
export const appendLimitBytes = 1_048_576;

const lastRevision = 2_147_483_647;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Checks and serialises an append before it shares a batch with others.
 * @throws RangeError when no store could accept it: no events, no stream, an id that is not a lower-case UUID, an
 * impossible revision, more than `appendLimitBytes`
 */
export function encodeAppend(request: AppendRequest): EncodedAppend {
  const { stream, expectedRevision, companions = [] } = request;
  const expected = expectedRevision === "none" ? -1 : expectedRevision;
  if (stream === "") throw new RangeError("A stream needs a name.");
  if (request.events.length === 0) throw new RangeError("An append needs at least one event.");
  const fits = Number.isInteger(expected) && expected + request.events.length <= lastRevision;
  if (!fits || (expected < 0 && expectedRevision !== "none"))
    throw new RangeError(`${expectedRevision} is not a revision.`);
  const events = request.events.map(encodeEvent);
  const bytes = events.reduce((sum, event) => sum + event.bytes, 0);
  if (bytes > appendLimitBytes)
    throw new RangeError(`An append of ${bytes} bytes is above the limit of ${appendLimitBytes}.`);
  const withCompanions = companions.reduce((sum, row) => sum + bytesOf(row), bytes);
  return { stream, expected, events, companions, bytes: withCompanions };
}

function encodeEvent(event: NewEvent): EncodedEvent & { bytes: number } {
  if (!uuid.test(event.id)) throw new RangeError(`"${event.id}" is not a lower-case UUID.`);
  if (event.type === "") throw new RangeError("An event needs a type.");
  const data = JSON.stringify(event.data);
  const metadata = JSON.stringify(event.metadata);
  return {
    id: uuidBytes(event.id),
    type: event.type,
    data,
    metadata,
    bytes: Buffer.byteLength(data) + Buffer.byteLength(metadata),
  };
}
