import { describeEventStoreContract } from "../../../testing/event-store/contract.ts";
import { startFakeEventStoreDb } from "../../../testing/event-store/fake-kurrent/kurrent-peer.ts";
import { createKurrentEventStore } from "./kurrent-event-store.ts";

describeEventStoreContract("EventStoreDB's client on the fake server", async () => {
  const fake = await startFakeEventStoreDb();
  return { open: () => createKurrentEventStore({ url: fake.url }), dispose: () => fake.stop() };
});
