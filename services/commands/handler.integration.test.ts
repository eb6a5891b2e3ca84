import { createKurrentEventStore } from "../../infra/event-store/kurrent-event-store.ts";
import { startKurrentPeer } from "../../infra/event-store/kurrent-peer/kurrent-peer.ts";
import { createMemoryEventStore, createMemoryLog } from "../../infra/event-store/memory-event-store.ts";
import { createPostgresEventStore } from "../../infra/event-store/postgres-event-store.ts";
import { createPool } from "../../infra/postgres/pool.ts";
import { testDatabase } from "../../infra/postgres/test-database.ts";
import { describeHandlerOn } from "./handler-contract.ts";

describeHandlerOn("memory", async () => {
  const log = createMemoryLog();
  return { open: () => createMemoryEventStore({ log }), dispose: async () => undefined };
});

describeHandlerOn("Postgres", async () => {
  const { connectionString, drop } = await testDatabase();
  const pool = createPool(connectionString);
  return {
    open: () => createPostgresEventStore({ pool, connectionString }),
    dispose: async () => {
      await pool.end();
      await drop();
    },
  };
});

describeHandlerOn("EventStoreDB's client on the peer", async () => {
  const peer = await startKurrentPeer();
  return { open: () => createKurrentEventStore({ url: peer.url }), dispose: () => peer.stop() };
});
