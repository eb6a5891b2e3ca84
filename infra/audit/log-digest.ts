import { hash } from "node:crypto";
import type { Position, StoredEvent } from "../event-store/event-store.ts";
import { BrokenChain, verify } from "../event-store/hash-chain.ts";

/** What the log amounts to up to an event: how many there are, and a hash that depends on each of them and on their order. */
export type LogDigest = { readonly count: number; readonly rollingHash: string };

/** Of a log without events. */
export const emptyDigest: LogDigest = { count: 0, rollingHash: "0".repeat(64) };

/** A digest and the event it ends with. */
export type DigestAt = LogDigest & { readonly position: Position; readonly eventId: string };

/** Verifies the log event by event, in its order. */
export type LogVerifier = {
  /**
   * The digest after one more event.
   * @throws BrokenChain when the event was changed, or does not follow the one before it in its stream
   */
  take(digest: LogDigest, event: StoredEvent): Promise<DigestAt>;
};

/** 100,000 streams take about 20 MB; one that is forgotten costs one read when it goes on. */
const mostStreamsKept = 100_000;

/** @param eventOf reads one event of a stream, undefined where it is missing; asked when its hash is not in memory */
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
    async take(digest, event) {
      const eventHash = verify(event, await previousHash(event));
      newest.delete(event.stream);
      newest.set(event.stream, { revision: event.revision, hash: eventHash });
      if (newest.size > mostStreamsKept) forgetOldest(newest);
      return {
        count: digest.count + 1,
        rollingHash: hash("sha256", `${digest.rollingHash}\n${eventHash}`, "hex"),
        position: event.position,
        eventId: event.id,
      };
    },
  };
}

function forgetOldest(newest: Map<string, unknown>): void {
  for (const stream of newest.keys()) {
    newest.delete(stream);
    return;
  }
}
