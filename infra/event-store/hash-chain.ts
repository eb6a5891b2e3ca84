import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import type { JsonObject } from "../json.ts";
import type { ExpectedRevision, NewEvent, StoredEvent } from "./event-store.ts";
import { StreamUnreadable, type UnreadableReason } from "./stream-unreadable.ts";

/** Place of an event. `previousHash` is that of the previous event in the stream, null for the first. */
type Link = { stream: string; revision: number; previousHash: string | null };

/** An event whose metadata also holds `previousHash` and `hash`. */
export type SealedEvent = NewEvent & { metadata: JsonObject & { hash: string; previousHash: string | null } };

/** An event that was changed or moved. */
export class BrokenChain extends StreamUnreadable {
  override name = "BrokenChain";
  readonly revision: number;
  constructor(
    stream: string,
    revision: number,
    what: string,
    reason: Extract<UnreadableReason, "changed" | "chain-broken"> = "chain-broken",
  ) {
    super(stream, reason, `Event ${revision} of ${stream} ${what}.`);
    this.revision = revision;
  }
}

/** Chains an event to the previous one. The store's position and clock are not covered: they are not known yet. */
export function seal(event: NewEvent, { stream, revision, previousHash }: Link): SealedEvent {
  const metadata = { ...event.metadata, previousHash };
  return { ...event, metadata: { ...metadata, hash: hashOf(stream, revision, { ...event, metadata }) } };
}

/**
 * Verifies one event of a stream and returns its hash, which the next event must name.
 * @throws BrokenChain when the event was changed or moved, or does not follow the previous one
 */
export function verify(event: StoredEvent, previousHash: string | null): string {
  const claimed = verifyLink(event, previousHash);
  const { hash: _hash, ...metadata } = event.metadata;
  const actual = hashOf(event.stream, event.revision, { ...event, metadata });
  if (claimed !== actual) throw changed(event);
  return actual;
}

/**
 * Verifies that an event names the previous one, and returns the hash that it was appended with. Its content may be
 * another.
 * @throws BrokenChain when it does not follow the previous one
 */
export function verifyLink(event: StoredEvent, previousHash: string | null): string {
  // An event from another program may have no metadata at all.
  if (event.metadata?.previousHash !== previousHash)
    throw new BrokenChain(event.stream, event.revision, "does not follow the event before it");
  return claimedHash(event);
}

/**
 * Verifies an event by itself.
 * @throws BrokenChain when it was changed
 */
export function verifyContent(event: StoredEvent): void {
  const { previousHash } = event.metadata;
  verify(event, typeof previousHash === "string" ? previousHash : null);
}

/** The hash that an event was appended with. @throws BrokenChain when it has none */
export function claimedHash(event: StoredEvent): string {
  const claimed = event.metadata?.hash;
  if (typeof claimed !== "string") throw changed(event);
  return claimed;
}

const changed = ({ stream, revision }: StoredEvent): BrokenChain =>
  new BrokenChain(stream, revision, "is not what was appended", "changed");

/** The end of a stream. */
type StreamEnd = { readonly revision: ExpectedRevision; readonly hash: string | null };

/**
 * Verifies a whole stream, or what follows `after`, and returns the newest hash; null when it is empty.
 * @throws BrokenChain naming the first event that is changed, missing or out of place
 */
export function verifyStream(
  stream: string,
  events: readonly StoredEvent[],
  after: StreamEnd = { revision: "none", hash: null },
): string | null {
  const first = after.revision === "none" ? 0 : after.revision + 1;
  let previousHash = after.hash;
  for (const [index, event] of events.entries()) {
    if (event.stream !== stream || event.revision !== first + index)
      throw new BrokenChain(stream, first + index, "is missing");
    previousHash = verify(event, previousHash);
  }
  return previousHash;
}

/** SHA-256, in hex, over canonical JSON (RFC 8785). `metadata` holds the previous hash but not the event's own. */
function hashOf(stream: string, revision: number, { id, type, data, metadata }: NewEvent): string {
  const text = canonicalize({ stream, revision, id, type, data, metadata });
  if (text === undefined) throw new TypeError("An event is always JSON.");
  return hash("sha256", text, "hex");
}
