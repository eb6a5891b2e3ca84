import {
  AccessDeniedError,
  type CommandError,
  NotLeaderError,
  StreamNotFoundError,
  TimeoutError,
  UnavailableError,
  UnknownError,
} from "@eventstore/db-client";
import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { expect, it } from "vitest";
import { EventStoreUnreachable } from "../event-store.ts";
import { isNoPlace, neverBegan, readingError } from "./kurrent-errors.ts";

function said(code: status, details: string, facts: Readonly<Record<string, string>> = {}): ServiceError {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(facts)) metadata.set(name, value);
  return Object.assign(new Error(`${code} ${status[code]}: ${details}`), { code, details, metadata });
}

const leader = { "leader-endpoint-host": "two", "leader-endpoint-port": "2113" };

it.each<[string, Error | CommandError]>([
  ["a cluster without a leader", new Error("Failed to discover after 10 attempts.")],
  ["a channel that was closed", new Error("Channel has been shut down")],
  ["a server that is down", new UnavailableError(said(status.UNAVAILABLE, "No connection established."))],
  ["the same before the client noticed", said(status.UNAVAILABLE, "No connection established.")],
  ["a server that starts", said(status.UNAVAILABLE, "Server Is Not Ready")],
  ["a consumer that was too slow", new TimeoutError(said(status.ABORTED, "Operation timed out"))],
  ["another leader", new NotLeaderError(said(status.NOT_FOUND, "Leader info available", leader))],
  [
    "a follower without a known leader",
    new UnknownError(said(status.UNKNOWN, "No leader info available in response")),
  ],
  ["a server that stops", new UnknownError(said(status.UNKNOWN, "Exception was thrown by handler."))],
  ["a stream that was reset", said(status.INTERNAL, "Received RST_STREAM with code 2")],
])("retries after %s", (_, error) => {
  const fault = readingError(error);
  expect(fault).toBeInstanceOf(EventStoreUnreachable);
  expect(fault).toMatchObject({ cause: error });
  expect(isNoPlace(fault)).toBe(false);
});

it.each<[string, Error | CommandError]>([
  ["no rights", new AccessDeniedError(said(status.PERMISSION_DENIED, "Access Denied"))],
  ["a wrong password", said(status.UNAUTHENTICATED, "Bad HTTP status")],
  ["a stream that is not there", new StreamNotFoundError(undefined, "thing")],
  ["a position inside a record", new UnknownError(said(status.UNKNOWN, "Unexpected ReadAllResult: Error"))],
  ["a call unknown to the server", said(status.UNIMPLEMENTED, "Unimplemented")],
  ["an error in the code", new TypeError("undefined is not a function")],
])("does not retry after %s", (_, error) => {
  expect(readingError(error)).toBe(error);
});

it("distinguishes a call that never started from one that may have reached the server", () => {
  const began = (details: string) => !neverBegan(readingError(said(status.UNAVAILABLE, details)));
  expect(began("Channel closed before call started")).toBe(false);
  expect(neverBegan(readingError(new Error("Channel has been shut down")))).toBe(true);
  expect(began("Connection dropped")).toBe(true);
});
