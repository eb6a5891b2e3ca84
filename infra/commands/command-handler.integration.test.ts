import { startFakeEventStoreDb } from "../../testing/event-store/fake-kurrent/kurrent-peer.ts";
import { describeHandlerOn } from "../../testing/event-store/handler-contract.ts";
import { createMemoryEventStore, createMemoryLog } from "../../testing/event-store/memory-event-store.ts";
import { openPostgresSubject } from "../../testing/event-store/store-fixture.ts";
import { createKurrentEventStore } from "../event-store/kurrent/kurrent-event-store.ts";

describeHandlerOn("memory", async () => {
  const log = createMemoryLog();
  return { open: () => createMemoryEventStore({ log }), dispose: async () => undefined };
});

describeHandlerOn("Postgres", openPostgresSubject);

describeHandlerOn("EventStoreDB's client on the fake server", async () => {
  const fake = await startFakeEventStoreDb();
  return { open: () => createKurrentEventStore({ url: fake.url }), dispose: () => fake.stop() };
});
