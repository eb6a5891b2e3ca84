import { hash } from "node:crypto";
import { eventMetadata } from "../event-store/event-metadata.ts";
import type { ExpectedRevision } from "../event-store/event-store.ts";
import { type SealedEvent, seal } from "../event-store/hash-chain.ts";
import { type EventTypes, UnknownEventType } from "../event-store/upcasting.ts";
import type { JsonObject } from "../json.ts";
import type { CommandMetadata, Recorded } from "./decider.ts";

/** Where a command's events go, and the metadata they carry. */
type Sealing = {
  readonly stream: string;
  readonly after: { readonly revision: ExpectedRevision; readonly hash: string | null };
  readonly metadata: CommandMetadata;
  readonly causationId: string | null;
  readonly fingerprint: string | null;
};

// Arbitrary, but must never change: all event ids derive from it.
const eventNamespace = Buffer.from("5d1c0a56e3f14b0d9a1b6f0c8e7d2a43", "hex");

/** The id of a command's nth event, from 0: the same on every retry. */
function eventIdOf(stream: string, commandId: string, index: number): string {
  return uuidV5(eventNamespace, JSON.stringify([stream, commandId, index]));
}

/** What the handler requires of a command or an event. */
export type Message = { readonly type: string; readonly data: JsonObject };

/** A decided event, its metadata once appended, and the event to append. */
export type Sealed<Event> = { event: Event; recorded: Recorded; stored: SealedEvent };

// Unreadable events must not be written.
const unlinked = eventMetadata.omit({ previousHash: true, hash: true });

/**
 * Makes decided events ready to append: ids, metadata and hash chain.
 * @throws UnknownEventType for a type without a history, ZodError for invalid metadata
 */
export function sealEvents<Event extends Message>(
  events: readonly Event[],
  eventTypes: EventTypes,
  { stream, after, metadata, causationId, fingerprint }: Sealing,
): Sealed<Event>[] {
  const { commandId, at, actor, correlationId, reason } = metadata;
  const first = after.revision === "none" ? 0 : after.revision + 1;
  let previousHash = after.hash;
  return events.map((event, index) => {
    const { type, data } = event;
    const schemaVersion = eventTypes[type]?.version;
    if (schemaVersion === undefined) throw new UnknownEventType(stream, type, 0);
    const by = { kind: actor.kind, id: actor.id };
    const plain = unlinked.parse({
      commandId,
      fingerprint,
      actor: by,
      correlationId,
      causationId,
      ...(reason !== undefined && { reason }),
      schemaVersion,
      at,
    });
    const eventId = eventIdOf(stream, commandId, index);
    const revision = first + index;
    const link = { stream, revision, previousHash };
    const stored = seal({ id: eventId, type, data, metadata: plain }, link);
    previousHash = stored.metadata.hash;
    return { event, recorded: { eventId, at, revision }, stored };
  });
}

/** A UUID of version 5 (RFC 9562): always the same for the same namespace and name. */
export function uuidV5(namespace: Buffer, name: string): string {
  const hex = hash("sha1", Buffer.concat([namespace, Buffer.from(name)]), "hex");
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const [timeLow, timeMid, timeHigh] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16)];
  return `${timeLow}-${timeMid}-5${timeHigh}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
