import { expect, it } from "vitest";
import { z } from "zod";
import { EventStoreUnreachable } from "../event-store/event-store.ts";
import { MirrorUnreachable } from "../key-ring/key-ring.ts";
import { isTransientError } from "./transient-fault.ts";

const redisSays = (message: string) => Object.assign(new Error(message), { name: "ReplyError" });
const coded = (code: string) => Object.assign(new Error("said by the server"), { code });

it.each([
  ["a lost connection", coded("08006")],
  ["a server that is shutting down", coded("57P01")],
  ["a server that takes no writes", coded("25006")],
  ["a statement that took too long", coded("57014")],
  ["a deadlock", coded("40P01")],
  ["an unavailable lock", coded("55P03")],
  ["a full disk", coded("53100")],
  ["a key folder without room", coded("ENOSPC")],
  ["a key mirror that is not mounted", new MirrorUnreachable("The key mirror cannot be used.")],
  ["a refused connection", coded("ECONNREFUSED")],
  ["the same on two addresses", new AggregateError([coded("ECONNREFUSED"), coded("ECONNREFUSED")])],
  ["pg's message for a lost connection", new Error("Connection terminated unexpectedly")],
  ["pg's message for a connection that fell silent", new Error("Query read timeout")],
  ["an event store that does not answer", new EventStoreUnreachable("Nothing was heard.")],
  ["a pool without a free connection", new Error("timeout exceeded when trying to connect")],
  ["an unreachable Redis", new Error("Stream isn't writeable and enableOfflineQueue options is false")],
  ["a Redis that is starting", redisSays("LOADING Redis is loading the dataset in memory")],
  ["a Redis that became a replica", redisSays("READONLY You can't write against a read only replica.")],
])("is %s", (_, error) => {
  expect(isTransientError(error)).toBe(true);
});

it.each([
  ["a unique key violated", coded("23505")],
  ["a missing table", coded("42P01")],
  ["an error in our code", new TypeError("undefined is not a function")],
  ["two failures, one permanent", new AggregateError([coded("ECONNREFUSED"), coded("23505")])],
  ["a password refused by Redis", redisSays("WRONGPASS invalid username-password pair")],
  ["a command unknown to Redis", redisSays("ERR unknown command 'LOADING'")],
  ["no error at all", "timeout"],
  // Its message lists the allowed words: an unintelligible event must not be retried for ever.
  [
    "an event whose code is none of timeout and connection",
    z.enum(["timeout", "connection"]).safeParse("x").error,
  ],
])("is not %s", (_, error) => {
  expect(isTransientError(error)).toBe(false);
});
