import { randomUUID } from "node:crypto";
import { createKurrentEventStore } from "../../infra/event-store/kurrent/kurrent-event-store.ts";
import { describeEventStoreContract } from "./contract.ts";

const url = process.env.EVENTSTORE_TEST_URL ?? "";

describeEventStoreContract("the server at EVENTSTORE_TEST_URL", async () => {
  const name = `test-${randomUUID()}`;
  return { open: () => createKurrentEventStore({ url, name }), dispose: async () => undefined };
});
