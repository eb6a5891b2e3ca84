import { z } from "zod";

/**
 * Why a stream cannot be read: an event was changed (`changed`), is missing or out of place (`chain-broken`), has a
 * type or version unknown to this code, does not match its schema, or does not fit the events before it.
 */
export type UnreadableReason = "changed" | "chain-broken" | "unknown-type" | "invalid-event" | "fold-failed";

/** The events of one stream cannot be verified or understood. Other streams are not affected. */
export class StreamUnreadable extends Error {
  override name = "StreamUnreadable";
  readonly stream: string;
  readonly reason: UnreadableReason;
  constructor(stream: string, reason: UnreadableReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.stream = stream;
    this.reason = reason;
  }
}

/**
 * Runs a computation on the events of one stream only: reading, verifying, folding.
 * @throws StreamUnreadable wrapping any error
 */
export function whileReading<T>(stream: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof StreamUnreadable) throw cause;
    const reason = cause instanceof z.core.$ZodError ? "invalid-event" : "fold-failed";
    throw new StreamUnreadable(stream, reason, `The stream ${stream} cannot be read (${reason}).`, { cause });
  }
}

/** Undefined where the stream cannot be read: for what goes on without it. */
export async function ifReadable<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof StreamUnreadable) return undefined;
    throw error;
  }
}
