import { createKurrentEventStore } from "../../infra/event-store/kurrent-event-store.ts";
import { startKurrentPeer } from "../../infra/event-store/kurrent-peer/kurrent-peer.ts";
import { createMemoryEventStore, createMemoryLog } from "../../infra/event-store/memory-event-store.ts";
import { openPostgresSubject } from "../../infra/event-store/postgres-subject-fixture.ts";
import { describeHandlerOn } from "./handler-contract.ts";

describeHandlerOn("memory", async () => {
  const log = createMemoryLog();
  return { open: () => createMemoryEventStore({ log }), dispose: async () => undefined };
});

describeHandlerOn("Postgres", openPostgresSubject);

describeHandlerOn("EventStoreDB's client on the peer", async () => {
  const peer = await startKurrentPeer();
  return { open: () => createKurrentEventStore({ url: peer.url }), dispose: () => peer.stop() };
});
