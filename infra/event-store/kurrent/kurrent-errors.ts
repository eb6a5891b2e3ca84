import {
  AccessDeniedError,
  InvalidArgumentError,
  StreamDeletedError,
  StreamNotFoundError,
  UnknownError,
  UnsupportedError,
} from "@eventstore/db-client";
import { EventStoreUnreachable } from "../event-store.ts";

const refusals = [
  AccessDeniedError,
  InvalidArgumentError,
  StreamDeletedError,
  StreamNotFoundError,
  UnsupportedError,
];
// gRPC codes: unknown, invalid argument, permission denied, out of range, unimplemented, unauthenticated.
const refusalCodes: ReadonlySet<unknown> = new Set([2, 3, 7, 11, 12, 16]);
// gRPC codes: unknown, invalid argument, out of range.
const noPlaceCodes: ReadonlySet<unknown> = new Set([2, 3, 11]);

/** Sent as code "unknown" by a follower without a leader, and by a node that fails mid-answer, as when it stops. */
const passingUnknowns = /No leader info available in response|Exception was thrown by handler/;

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

/**
 * Error of a read or subscription: EventStoreUnreachable, which is worth retrying, unless the server refused the
 * request. The client reports an absent server in many ways: its own classes, bare gRPC errors, and plain errors
 * without class or code ("Failed to discover after 10 attempts." while a cluster has no leader, "Channel has been shut
 * down").
 */
export function readingError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof EventStoreUnreachable) return error;
  return isRefusal(error)
    ? error
    : new EventStoreUnreachable("The event store cannot be reached.", { cause: error });
}

function isRefusal(error: Error): boolean {
  if (passingUnknowns.test(error.message)) return false;
  if (refusals.some((kind) => error instanceof kind) || refusalCodes.has(codeOf(error))) return true;
  // A bug in the client or in our code.
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}

const beforeTheCall = /Channel (closed before call started|has been shut down)$/;

/** Whether the call's channel was already closed: the server never received it. gRPC's client has no code for this. */
export const neverBegan = (error: unknown): boolean =>
  error instanceof EventStoreUnreachable &&
  error.cause instanceof Error &&
  beforeTheCall.test(error.cause.message);

/** Whether the client found no leader, or no node at all. It does not say why. */
export const foundNoNode = (error: unknown): boolean =>
  error instanceof Error && /^Failed to discover after \d+ attempts\.$/.test(error.message);

/** Whether a read was refused because no event starts at its position. */
export const isNoPlace = (error: unknown): boolean =>
  error instanceof UnknownError && noPlaceCodes.has(codeOf(error));
