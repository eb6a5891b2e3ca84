import { type EventStore, StoreBusy } from "../event-store/event-store.ts";
import { isStorageFault } from "./storage-fault.ts";
import { StorageAway, type StoragePart, type StorageWatch } from "./storage-watch.ts";

/**
 * An event store that tells the watch of its faults, and fails at once while the part that holds the log is known to be away, instead of
 * letting each caller wait for a time-out. Followers go on by themselves.
 */
export function failingFast(
  store: EventStore,
  part: StoragePart,
  storage: Pick<StorageWatch, "suspect" | "expect">,
): EventStore {
  const asking = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    await storage.expect(part);
    try {
      return await ask();
    } catch (error) {
      if (isStorageFault(error)) storage.suspect(error);
      throw error;
    }
  };
  return {
    append: async (request) => {
      try {
        return await asking(() => store.append(request));
      } catch (error) {
        throw error instanceof StorageAway ? new StoreBusy("Nothing was sent.", { cause: error }) : error;
      }
    },
    readStream: (stream, from) => asking(() => store.readStream(stream, from)),
    readAll: (after, limit) => asking(() => store.readAll(after, limit)),
    eventAt: (position) => asking(() => store.eventAt(position)),
    follow: (options) => store.follow(options),
    head: () => asking(() => store.head()),
    logId: () => asking(() => store.logId()),
    close: () => store.close(),
  };
}
