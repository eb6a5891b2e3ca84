import type { StreamingRead } from "@eventstore/db-client";
import { EventStoreUnreachable } from "../event-store.ts";
import { neverBegan, readingError } from "./kurrent-errors.ts";

/**
 * After a broken connection the client opens a new channel, and a read about to start on the old one fails although the
 * server is up: retry it once.
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
 * Reads until `take` has had enough or the stream ends. After `silenceMs` without data the server counts as gone: the
 * client has no deadline for reads.
 * @throws EventStoreUnreachable for transient errors, the client's errors for others, and errors of `take`
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
  // Stays attached: an error after the end would end the process.
  reading.on("error", (error) => reject(readingError(error)));
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
    // Rejects when the call never started, which is already reported.
    if (!reading.readableEnded) reading.cancel().catch(() => undefined);
  }
}
