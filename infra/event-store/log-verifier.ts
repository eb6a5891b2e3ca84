import type { EventStore, StoredEvent } from "./event-store.ts";
import { BrokenChain, verify } from "./hash-chain.ts";

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

export function createLogVerifier(store: Pick<EventStore, "readStream">): LogVerifier {
  const newest = new Map<string, { readonly revision: number; readonly hash: string }>();

  async function previousHash({ stream, revision }: StoredEvent): Promise<string | null> {
    if (revision === 0) return null;
    const kept = newest.get(stream);
    if (kept?.revision === revision - 1) return kept.hash;
    const later = await store.readStream(stream, revision - 1);
    const claimed = later.find((event) => event.revision === revision - 1)?.metadata.hash;
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

function forgetOldest(newest: Map<string, unknown>): void {
  for (const stream of newest.keys()) {
    newest.delete(stream);
    return;
  }
}
