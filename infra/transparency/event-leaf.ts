import type { StoredEvent } from "../event-store/event-store.ts";
import { claimedHash, verifyContent } from "../event-store/hash-chain.ts";
import { leafVersion } from "./formats/leaf-fields.ts";

/** Further lines of a leaf, after the event's hash. No personal data, and nothing that names an order. */
export type LeafDetails = readonly (readonly [name: string, value: string])[];

/**
 * The content of an event's leaf: a line for each field. It follows from the event alone, so a copied log has the same
 * leaves. Event ids are derived from random ones: without them the content cannot be guessed from its hash.
 * @throws BrokenChain when the event was changed, RangeError when it is not one of ours
 */
export function eventLeaf(
  logId: string,
  index: number,
  event: StoredEvent,
  details: LeafDetails = [],
): string {
  verifyContent(event);
  return leafOf(logId, index, event, details);
}

/**
 * The same, with the hash that the event was appended with: its content is not verified.
 * @throws BrokenChain when the event has no hash, RangeError when it is not one of ours
 */
export function leafOf(logId: string, index: number, event: StoredEvent, details: LeafDetails = []): string {
  const { id, type, metadata } = event;
  const { at } = metadata;
  if (typeof at !== "string" || !timePattern.test(at))
    throw new RangeError("The event's `at` is not a time.");
  let further = "";
  for (const [name, value] of details) further += `${name} ${lineOf(name, value)}\n`;
  return `${leafVersion}
log ${lineOf("log", logId)}
index ${index}
event ${lineOf("event", id)}
type ${lineOf("type", type)}
time ${at}
sha256 ${lineOf("sha256", claimedHash(event))}
${further}`;
}

// Faster than zod's, which took as long as the rest of the leaf.
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;

/** @throws RangeError for a value that would be more than a line */
function lineOf(name: string, value: string): string {
  if (/\p{Cc}/u.test(value)) throw new RangeError(`The leaf's ${name} has a control character.`);
  return value;
}
