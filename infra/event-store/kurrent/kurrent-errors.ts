import {
  AccessDeniedError,
  InvalidArgumentError,
  StreamDeletedError,
  StreamNotFoundError,
  UnknownError,
  UnsupportedError,
} from "@eventstore/db-client";

const refusals = [
  AccessDeniedError,
  InvalidArgumentError,
  StreamDeletedError,
  StreamNotFoundError,
  UnsupportedError,
];
// Of gRPC: unknown, invalid argument, permission denied, out of range, unimplemented, unauthenticated.
const refusalCodes: ReadonlySet<unknown> = new Set([2, 3, 7, 11, 12, 16]);
// Of gRPC: unknown, invalid argument, out of range.
const noPlaceCodes: ReadonlySet<unknown> = new Set([2, 3, 11]);

/** Said under the code "unknown" by a follower that lost its leader, and by a node that fails in the middle of an answer, as while it stops. */
const passingUnknowns = /No leader info available in response|Exception was thrown by handler/;

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

/**
 * What the client failed a read or a subscription with, said so that it can be told whether it passes: EventStoreUnreachable unless the server
 * refused what was asked. It has no end of ways to say that nobody is there: classes of its own, bare errors of gRPC, and errors with neither class
 * nor code ("Failed to discover after 10 attempts." while a cluster has no leader, "Channel has been shut down").
 */
export function readingFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof EventStoreUnreachable) return error;
  return isRefusal(error)
    ? error
    : new EventStoreUnreachable("The event store cannot be reached.", { cause: error });
}

function isRefusal(error: Error): boolean {
  if (passingUnknowns.test(error.message)) return false;
  if (refusals.some((kind) => error instanceof kind) || refusalCodes.has(codeOf(error))) return true;
  // A fault of the client's code, or of ours.
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}

const beforeTheCall = /Channel (closed before call started|has been shut down)$/;

/** Whether the client had closed the channel that a call was to begin on: the server never heard of it. Of gRPC's client, which has no code of its own for it. */
export const neverBegan = (error: unknown): boolean =>
  error instanceof EventStoreUnreachable &&
  error.cause instanceof Error &&
  beforeTheCall.test(error.cause.message);

/** Whether the client knows of no node that leads, or of none at all. It does not say why. */
export const foundNoNode = (error: unknown): boolean =>
  error instanceof Error && /^Failed to discover after \d+ attempts\.$/.test(error.message);

/** Whether a read was turned away because nothing begins at its position. */
export const isNoPlace = (error: unknown): boolean =>
  error instanceof UnknownError && noPlaceCodes.has(codeOf(error));

/** The event store cannot be reached or does not answer. Trying later can succeed without anybody mending anything. */
export class EventStoreUnreachable extends Error {
  override name = "EventStoreUnreachable";
}
