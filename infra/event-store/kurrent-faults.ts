import {
  CancelledError,
  DeadlineExceededError,
  NotLeaderError,
  TimeoutError,
  UnavailableError,
  UnknownError,
} from "@eventstore/db-client";
import { EventStoreUnreachable } from "./event-store-unreachable.ts";

const passing = [CancelledError, DeadlineExceededError, NotLeaderError, TimeoutError, UnavailableError];
// Of gRPC: cancelled, deadline exceeded, aborted, internal (a stream that was reset), unavailable.
const passingCodes: ReadonlySet<unknown> = new Set([1, 4, 10, 13, 14]);
// Of gRPC: unknown, invalid argument, out of range.
const refusedCodes: ReadonlySet<unknown> = new Set([2, 3, 11]);

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

/**
 * What a read or a subscription failed with, said so that it can be told whether it passes: EventStoreUnreachable if it does. While the server is
 * down the client throws bare errors of gRPC, and its own once it knew the connection.
 */
export function readingFault(error: unknown): unknown {
  if (error instanceof EventStoreUnreachable) return error;
  if (passing.some((kind) => error instanceof kind) || passingCodes.has(codeOf(error)))
    return new EventStoreUnreachable("The event store cannot be reached.", { cause: error });
  return error;
}

/** Whether the client had closed the channel that a call was to begin on: the server never heard of it. Of gRPC's client, which has no code of its own for it. */
export const neverBegan = (error: unknown): boolean =>
  error instanceof EventStoreUnreachable &&
  error.cause instanceof Error &&
  error.cause.message.endsWith("Channel closed before call started");

/** Whether a read was turned away because nothing begins at its position. */
export const isNoPlace = (error: unknown): boolean =>
  error instanceof UnknownError && refusedCodes.has(codeOf(error));
