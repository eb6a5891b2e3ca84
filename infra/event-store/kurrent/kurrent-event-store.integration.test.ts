import { describeEventStoreContract } from "../../../testing/event-store/contract.ts";
import { startKurrentPeer } from "../../../testing/event-store/fake-kurrent/kurrent-peer.ts";
import { createKurrentEventStore } from "./kurrent-event-store.ts";

describeEventStoreContract("EventStoreDB's client on the fake server", async () => {
  const peer = await startKurrentPeer();
  return { open: () => createKurrentEventStore({ url: peer.url }), dispose: () => peer.stop() };
});
