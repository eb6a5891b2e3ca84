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

/** 20,000 streams take about 4 MB; an evicted stream costs one read. */
export const mostStreamsKept = 20_000;

type StreamEnd = { revision: number; hash: string };

export function createLogVerifier(store: Pick<EventStore, "readStream">): LogVerifier {
  const newest = new Map<string, StreamEnd>();

  async function readBefore({ stream, revision }: StoredEvent): Promise<string> {
    const later = await store.readStream(stream, revision - 1);
    const before = later.find((event) => event.revision === revision - 1);
    if (!before) throw new BrokenChain(stream, revision - 1, "is missing");
    return claimedHash(before);
  }

  /** The end of an event's stream as it was met; one look-up for each event, which costs as much as a hash. */
  const keptOf = ({ stream, revision }: StoredEvent): StreamEnd | undefined =>
    revision === 0 ? undefined : newest.get(stream);

  /** Undefined where it has to be read. */
  function hashBefore({ revision }: StoredEvent, kept: StreamEnd | undefined): string | null | undefined {
    if (revision === 0) return null;
    return kept?.revision === revision - 1 ? kept.hash : undefined;
  }

  function keep({ stream, revision }: StoredEvent, hash: string, kept: StreamEnd | undefined): void {
    if (kept) {
      kept.revision = revision;
      kept.hash = hash;
      return;
    }
    newest.set(stream, { revision, hash });
    if (newest.size > mostStreamsKept) forgetOldest(newest);
  }

  return {
    async hashOf(event) {
      const kept = keptOf(event);
      const before = hashBefore(event, kept);
      const hash = verify(event, before === undefined ? await readBefore(event) : before);
      keep(event, hash, kept);
      return hash;
    },
    async verifyLinks(events) {
      for (const event of events) {
        const kept = keptOf(event);
        const before = hashBefore(event, kept);
        keep(event, verifyLink(event, before === undefined ? await readBefore(event) : before), kept);
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
