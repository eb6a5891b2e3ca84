import { randomUUID } from "node:crypto";
import { createKurrentEventStore } from "../../infra/event-store/kurrent-event-store.ts";
import { describeHandlerOn } from "./handler-contract.ts";

const url = process.env.EVENTSTORE_TEST_URL ?? "";

describeHandlerOn("the server at EVENTSTORE_TEST_URL", async () => {
  const name = `test-${randomUUID()}`;
  return { open: () => createKurrentEventStore({ url, name }), dispose: async () => undefined };
});
