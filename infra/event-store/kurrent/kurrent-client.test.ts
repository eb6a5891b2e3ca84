import { EventStoreDBClient } from "@eventstore/db-client";
import { Client, credentials } from "@grpc/grpc-js";
import { expect, it } from "vitest";
import { OperatorFault } from "../../process/operator-error.ts";
import { letLive, shareClient } from "./kurrent-client.ts";

it.each([
  ["no user", "esdb://host:2113", "names no user"],
  ["a port that is none", "esdb://ann:opensesame@host:port", "is not understood"],
  ["settings that are none", "esdb://ann:opensesame@host:2113?tls", "is not understood"],
  ["no such authority", "esdb://ann:opensesame@host:2113?tlsCaFile=/no/such.crt", "names a file with a cert"],
])("says in a sentence that the address has %s, and repeats no password", (_, url, words) => {
  expect(() => shareClient(url)).toThrow(OperatorFault);
  expect(() => shareClient(url)).toThrow(words);
  expect(() => shareClient(url)).toThrow(/^(?!.*opensesame)/);
});

it("takes user and password from the address as they were meant", async () => {
  const { credentials, release } = shareClient("esdb://ann:open%3Asesame@host:2113?tls=true");
  expect(credentials).toEqual({ username: "ann", password: "open:sesame" });
  await release();
});

it("is one for a process until the last has released it", async () => {
  const url = "esdb://host:2113?tls=false";
  const [one, other] = [shareClient(url), shareClient(url)];
  expect(other.client).toBe(one.client);
  await one.release();
  await one.release();
  const third = shareClient(url);
  expect(third.client).toBe(other.client);
  await Promise.all([other.release(), third.release()]);
  const fresh = shareClient(url);
  expect(fresh.client).not.toBe(one.client);
  await fresh.release();
});

const afterFailure = "handleError";

it.each([
  ["survives", "that no node leads", "Failed to discover after 10 attempts.", "fulfilled"],
  ["does not survive", "anything else", "Failed to discover what this is.", "rejected"],
])("%s that a failed call learns unheard %s", async (_words, _what, message, status) => {
  const client = EventStoreDBClient.connectionString("esdb://host:2113?tls=false");
  client[afterFailure] = async () => {
    throw new Error(message);
  };
  letLive(client);
  const service = new Client("host:2113", credentials.createInsecure());
  const [outcome] = await Promise.allSettled([client[afterFailure](service, new Error("A call failed."))]);
  expect(outcome.status).toBe(status);
  service.close();
});
