import { AsyncLocalStorage } from "node:async_hooks";

/** How many streams were read meanwhile, and how many of them by a statement that also confirmed the log. */
type Reads = { streams: number; confirmed: number };

const current = new AsyncLocalStorage<Reads>();

/** The reads that have to be confirmed at present, if any. */
export const readsToConfirm = (): Reads | undefined => current.getStore();

/**
 * Reads streams of a guarded event store, and confirms the log: where the store can, by the same statements, otherwise
 * afterwards.
 * @throws OtherLogAnswers, or the errors of `read` and `confirm`
 */
export async function confirmedBy<T>(confirm: () => Promise<void>, read: () => Promise<T>): Promise<T> {
  const reads: Reads = { streams: 0, confirmed: 0 };
  const result = await current.run(reads, read);
  if (reads.streams === 0 || reads.confirmed < reads.streams) await confirm();
  return result;
}
