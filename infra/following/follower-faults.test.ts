import { expect, it } from "vitest";
import { createMemoryEventStore } from "../../testing/event-store/memory-event-store.ts";
import { happen } from "../../testing/infra/following-fixture.ts";
import { OtherLogAnswers } from "../log-binding/guarded-event-store.ts";
import { checkLog, Stopped } from "./follower-faults.ts";

async function checkpointed() {
  const store = createMemoryEventStore();
  await happen(store, "one");
  const [event] = await store.readAll("", 1);
  if (!event) throw new Error("The event is missing.");
  return { store, checkpoint: { position: event.position, eventId: event.id, logId: await store.logId() } };
}

it("finds a checkpoint's event, and stops where it is missing", async () => {
  const { store, checkpoint } = await checkpointed();
  expect(await checkLog(store, checkpoint)).toBe(checkpoint.logId);
  await expect(checkLog(store, { ...checkpoint, eventId: "another" })).rejects.toThrow(Stopped);
});

it("does not stop when another server answered before its log was noticed", async () => {
  const { store, checkpoint } = await checkpointed();
  store.eventAt = async () => {
    store.logId = () => Promise.reject(new OtherLogAnswers("Another log."));
    return undefined;
  };
  await expect(checkLog(store, checkpoint)).rejects.toThrow(OtherLogAnswers);
});
