import { hash } from "node:crypto";
import type { Position, StoredEvent } from "../event-store/event-store.ts";

/** Summary of the log up to an event: the count, and a hash over each event in order. */
type LogDigest = { readonly count: number; readonly rollingHash: string };

export const emptyDigest: LogDigest = { count: 0, rollingHash: "0".repeat(64) };

export type DigestAt = LogDigest & { readonly position: Position; readonly eventId: string };

/** The digest after one more event, of this hash. */
export const digestAfter = (
  { count, rollingHash }: LogDigest,
  { id, position }: Pick<StoredEvent, "id" | "position">,
  eventHash: string,
): DigestAt => ({
  count: count + 1,
  rollingHash: hash("sha256", `${rollingHash}\n${eventHash}`, "hex"),
  position,
  eventId: id,
});
