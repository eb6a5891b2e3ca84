import { describeEventStoreContract } from "./contract.ts";
import { createMemoryEventStore, createMemoryLog } from "./memory-event-store.ts";

describeEventStoreContract("memory", async () => {
  const log = createMemoryLog();
  return { open: () => createMemoryEventStore({ log }), dispose: async () => undefined };
});
