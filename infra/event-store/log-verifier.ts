import type { EventStore, StoredEvent } from "./event-store.ts";
import { BrokenChain, claimedHash, verify, verifyLink } from "./hash-chain.ts";

/** Verifies the log event by event, in order. */
export type LogVerifier = {
  /**
   * The event's hash.
   * @throws BrokenChain when the event was changed, or does not follow the previous one in its stream
   */
  hashOf(event: StoredEvent): Promise<string>;
  /**
   * Verifies that events follow the previous ones in their streams, whatever their content.
   * @throws BrokenChain when one does not
   */
  verifyLinks(events: readonly StoredEvent[]): Promise<void>;
};

/** 100,000 streams take about 20 MB; an evicted stream costs one read. */
const mostStreamsKept = 100_000;

export function createLogVerifier(store: Pick<EventStore, "readStream">): LogVerifier {
  const newest = new Map<string, { revision: number; hash: string }>();

  /** The hash before an event; undefined when it was not kept. */
  function keptBefore({ stream, revision }: StoredEvent): string | null | undefined {
    if (revision === 0) return null;
    const kept = newest.get(stream);
    return kept?.revision === revision - 1 ? kept.hash : undefined;
  }

  async function readBefore({ stream, revision }: StoredEvent): Promise<string> {
    const later = await store.readStream(stream, revision - 1);
    const before = later.find((event) => event.revision === revision - 1);
    if (!before) throw new BrokenChain(stream, revision - 1, "is missing");
    return claimedHash(before);
  }

  function keep({ stream, revision }: StoredEvent, hash: string): void {
    newest.set(stream, { revision, hash });
    if (newest.size > mostStreamsKept) forgetOldest(newest);
  }

  return {
    async hashOf(event) {
      const before = keptBefore(event);
      const hash = verify(event, before === undefined ? await readBefore(event) : before);
      keep(event, hash);
      return hash;
    },
    async verifyLinks(events) {
      for (const event of events) {
        const before = keptBefore(event);
        keep(event, verifyLink(event, before === undefined ? await readBefore(event) : before));
      }
    },
  };
}

function forgetOldest(newest: Map<string, unknown>): void {
  for (const stream of newest.keys()) {
    newest.delete(stream);
    return;
  }
}
