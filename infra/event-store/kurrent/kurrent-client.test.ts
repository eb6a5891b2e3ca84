import { EventStoreDBClient } from "@eventstore/db-client";
import { Client, credentials } from "@grpc/grpc-js";
import { expect, it, vi } from "vitest";
import { OperatorError } from "../../process/operator-error.ts";
import { shareClient } from "./kurrent-client.ts";

it.each([
  ["no user", "esdb://host:2113", "names no user"],
  ["an invalid port", "esdb://ann:opensesame@host:port", "is not understood"],
  ["invalid settings", "esdb://ann:opensesame@host:2113?tls", "is not understood"],
  [
    "a missing certificate authority",
    "esdb://ann:opensesame@host:2113?tlsCaFile=/no/such.crt",
    "names a file with a cert",
  ],
])("rejects an address with %s, without repeating the password", (_, url, words) => {
  expect(() => shareClient(url)).toThrow(OperatorError);
  expect(() => shareClient(url)).toThrow(words);
  expect(() => shareClient(url)).toThrow(/^(?!.*opensesame)/);
});

it("decodes user and password from the address", async () => {
  const { credentials, release } = shareClient("esdb://ann:open%3Asesame@host:2113?tls=true");
  expect(credentials).toEqual({ username: "ann", password: "open:sesame" });
  await release();
});

it("is shared by the process until the last user releases it", async () => {
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
  ["survives", "a missing leader", "Failed to discover after 10 attempts.", "fulfilled"],
  ["does not survive", "any other error", "Failed to discover what this is.", "rejected"],
])("%s the unhandled rejection of %s", async (_words, _what, message, status) => {
  const url = "esdb://host:2113?tls=false";
  const made = EventStoreDBClient.connectionString(url);
  made[afterFailure] = async () => {
    throw new Error(message);
  };
  vi.spyOn(EventStoreDBClient, "connectionString").mockReturnValueOnce(made);
  const { client, release } = shareClient(url);
  const service = new Client("host:2113", credentials.createInsecure());
  const [outcome] = await Promise.allSettled([client[afterFailure](service, new Error("A call failed."))]);
  expect(outcome.status).toBe(status);
  service.close();
  await release();
});
