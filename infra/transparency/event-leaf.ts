import { z } from "zod";
import type { StoredEvent } from "../event-store/event-store.ts";
import { verify } from "../event-store/hash-chain.ts";
import { leafVersion } from "./formats/leaf-fields.ts";

/** Further lines of a leaf, after the event's hash. No personal data, and nothing that names an order. */
export type LeafDetails = readonly (readonly [name: string, value: string])[];

const chained = z.object({ previousHash: z.string().nullable(), at: z.iso.datetime() });

/**
 * The content of an event's leaf: a line for each field. It follows from the event alone, so a copied log has the same
 * leaves. Event ids are derived from random ones: without them the content cannot be guessed from its hash.
 * @throws BrokenChain when the event was changed, ZodError or RangeError when it is not one of ours
 */
export function eventLeaf(
  logId: string,
  index: number,
  event: StoredEvent,
  details: LeafDetails = [],
): string {
  const { previousHash, at } = chained.parse(event.metadata);
  return leafText(logId, index, event, { at, sha256: verify(event, previousHash) }, details);
}

/** The same for an event that is known to be intact. @param sha256 its hash */
export const verifiedLeaf = (
  logId: string,
  index: number,
  event: StoredEvent,
  sha256: string,
  details: LeafDetails = [],
): string => leafText(logId, index, event, { at: chained.parse(event.metadata).at, sha256 }, details);

function leafText(
  logId: string,
  index: number,
  { id, type }: StoredEvent,
  { at, sha256 }: { at: string; sha256: string },
  details: LeafDetails,
): string {
  const lines: LeafDetails = [
    ["log", logId],
    ["index", String(index)],
    ["event", id],
    ["type", type],
    ["time", at],
    ["sha256", sha256],
    ...details,
  ];
  return `${leafVersion}\n${lines.map(lineOf).join("")}`;
}

function lineOf([name, value]: LeafDetails[number]): string {
  if (/\p{Cc}/u.test(value)) throw new RangeError(`The leaf's ${name} has a control character.`);
  return `${name} ${value}\n`;
}
