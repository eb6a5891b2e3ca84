import { randomUUID } from "node:crypto";
import { describeEventStoreContract } from "./contract.ts";
import { createKurrentEventStore } from "./kurrent-event-store.ts";

const url = process.env.EVENTSTORE_TEST_URL ?? "";

describeEventStoreContract("the server at EVENTSTORE_TEST_URL", async () => {
  const name = `test-${randomUUID()}`;
  return { open: () => createKurrentEventStore({ url, name }), dispose: async () => undefined };
});
