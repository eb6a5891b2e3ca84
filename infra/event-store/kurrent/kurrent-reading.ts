import type { StreamingRead } from "@eventstore/db-client";
import { EventStoreUnreachable, neverBegan, readingFault } from "./kurrent-errors.ts";

/**
 * When a connection broke the client takes a new channel, and what it was about to read over the old one fails though the server is
 * there: that is begun again, once.
 */
export async function readOnOpenChannel(read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!neverBegan(error)) throw error;
    await read();
  }
}

/**
 * Reads until `take` has had enough or there is no more. Without anything to be heard for `silenceMs` the server counts as gone: the client knows
 * no deadline for reads.
 * @throws EventStoreUnreachable for what passes, the client's errors for what does not, and what `take` throws
 */
export async function readUntil<Resolved>(
  reading: StreamingRead<Resolved>,
  silenceMs: number,
  take: (resolved: Resolved) => "more" | "enough",
): Promise<void> {
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  const gone = () => reject(new EventStoreUnreachable(`Nothing was heard for ${silenceMs} ms.`));
  let timer = setTimeout(gone, silenceMs);
  let done = false;
  // Stays: an error that comes after the end would end the process.
  reading.on("error", (error) => reject(readingFault(error)));
  reading.on("end", resolve);
  reading.on("data", (resolved: Resolved) => {
    if (done) return;
    clearTimeout(timer);
    timer = setTimeout(gone, silenceMs);
    try {
      done = take(resolved) === "enough";
      if (done) resolve();
    } catch (error) {
      reject(error);
    }
  });
  try {
    await over;
  } finally {
    done = true;
    clearTimeout(timer);
    // Rejects where the call was never begun, which was heard of above.
    if (!reading.readableEnded) reading.cancel().catch(() => undefined);
  }
}
