import { randomUUID } from "node:crypto";
import { describeHandlerOn } from "../../testing/event-store/handler-contract.ts";
import { createKurrentEventStore } from "../event-store/kurrent/kurrent-event-store.ts";

const url = process.env.EVENTSTORE_TEST_URL ?? "";

describeHandlerOn("the server at EVENTSTORE_TEST_URL", async () => {
  const name = `test-${randomUUID()}`;
  return { open: () => createKurrentEventStore({ url, name }), dispose: async () => undefined };
});
