import { z } from "zod";

/**
 * Why a stream cannot be read: an event is not what was appended (`changed`), is missing or out of place (`chain-broken`), is of a type or
 * version that this code does not know, does not fit its schema, or does not fit the events before it.
 */
export type UnreadableReason = "changed" | "chain-broken" | "unknown-type" | "invalid-event" | "fold-failed";

/** The events of one stream cannot be trusted or understood. It says nothing of any other stream. */
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
 * Runs what computes on the events of one stream and on nothing else: reading, verifying, folding.
 * @throws StreamUnreadable whatever it throws
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
