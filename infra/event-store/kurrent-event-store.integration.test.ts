import { describeEventStoreContract } from "./contract.ts";
import { createKurrentEventStore } from "./kurrent-event-store.ts";
import { startKurrentPeer } from "./kurrent-peer/kurrent-peer.ts";

describeEventStoreContract("EventStoreDB's client on the peer", async () => {
  const peer = await startKurrentPeer();
  return { open: () => createKurrentEventStore({ url: peer.url }), dispose: () => peer.stop() };
});
