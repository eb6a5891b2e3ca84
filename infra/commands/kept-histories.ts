/** Bounds of what is kept: streams, and the JSON of their events in characters. */
export type KeptLimits = { readonly streams: number; readonly size: number };

/** About 50 MB of memory at most. */
export const usualLimits: KeptLimits = { streams: 2_000, size: 16_000_000 };

type Sized = { readonly size: number };

/** Folded streams of this process, the least recently used dropped first. */
type KeptHistories<Kept extends Sized> = {
  get(stream: string): Kept | undefined;
  put(stream: string, history: Kept): void;
  drop(stream: string): void;
};

export function createKeptHistories<Kept extends Sized>(limits: KeptLimits): KeptHistories<Kept> {
  // In order of use: a Map keeps the order of insertion.
  const kept = new Map<string, Kept>();
  let size = 0;

  function drop(stream: string): void {
    size -= kept.get(stream)?.size ?? 0;
    kept.delete(stream);
  }

  return {
    get(stream) {
      const history = kept.get(stream);
      if (!history) return undefined;
      kept.delete(stream);
      kept.set(stream, history);
      return history;
    },
    put(stream, history) {
      drop(stream);
      kept.set(stream, history);
      size += history.size;
      for (const oldest of kept.keys()) {
        if (kept.size <= limits.streams && size <= limits.size) break;
        drop(oldest);
      }
    },
    drop,
  };
}
