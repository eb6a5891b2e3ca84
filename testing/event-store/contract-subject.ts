import { randomUUID } from "node:crypto";
import type { EventStore, NewEvent } from "../../infra/event-store/event-store.ts";
import type { JsonObject } from "../../infra/json.ts";

/** An adapter under test: a fresh log, and as many stores upon it as there are processes to play. */
export type ContractSubject = { open: () => EventStore; dispose: () => Promise<void> };

/** A new event with an id of its own. */
export const anEvent = (type = "Happened", data: JsonObject = {}): NewEvent => ({
  id: randomUUID(),
  type,
  data,
  metadata: { note: "kept as it is" },
});

/** A stream that no other test uses. */
export const aStream = (): string => `thing-${randomUUID()}`;
