import { hash } from "node:crypto";
import type { Position, StoredEvent } from "../event-store/event-store.ts";
import { BrokenChain, verify } from "../event-store/hash-chain.ts";

/** Summary of the log up to an event: the count, and a hash over each event in order. */
type LogDigest = { readonly count: number; readonly rollingHash: string };

export const emptyDigest: LogDigest = { count: 0, rollingHash: "0".repeat(64) };

export type DigestAt = LogDigest & { readonly position: Position; readonly eventId: string };

/** Verifies the log event by event, in order. */
export type LogVerifier = {
  /**
   * The event's hash.
   * @throws BrokenChain when the event was changed, or does not follow the previous one in its stream
   */
  hashOf(event: StoredEvent): Promise<string>;
};

/** 100,000 streams take about 20 MB; an evicted stream costs one read. */
const mostStreamsKept = 100_000;

/** @param eventOf reads one event of a stream, undefined if missing; used when its hash is not in memory */
export function createLogVerifier(
  eventOf: (stream: string, revision: number) => Promise<StoredEvent | undefined>,
): LogVerifier {
  const newest = new Map<string, { readonly revision: number; readonly hash: string }>();

  async function previousHash({ stream, revision }: StoredEvent): Promise<string | null> {
    if (revision === 0) return null;
    const kept = newest.get(stream);
    if (kept?.revision === revision - 1) return kept.hash;
    const claimed = (await eventOf(stream, revision - 1))?.metadata.hash;
    if (typeof claimed !== "string") throw new BrokenChain(stream, revision - 1, "is missing");
    return claimed;
  }

  return {
    async hashOf(event) {
      const eventHash = verify(event, await previousHash(event));
      newest.delete(event.stream);
      newest.set(event.stream, { revision: event.revision, hash: eventHash });
      if (newest.size > mostStreamsKept) forgetOldest(newest);
      return eventHash;
    },
  };
}

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

function forgetOldest(newest: Map<string, unknown>): void {
  for (const stream of newest.keys()) {
    newest.delete(stream);
    return;
  }
}
