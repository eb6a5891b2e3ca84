import { randomUUID } from "node:crypto";
import type { EventStore, NewEvent } from "../../infra/event-store/event-store.ts";
import type { JsonObject } from "../../infra/json.ts";

/** An adapter under test: a new log, and one store on it per process. */
export type ContractSubject = { open: () => EventStore; dispose: () => Promise<void> };

export const anEvent = (type = "Happened", data: JsonObject = {}): NewEvent => ({
  id: randomUUID(),
  type,
  data,
  metadata: { note: "kept as it is" },
});

/** A stream unique to the test. */
export const aStream = (): string => `thing-${randomUUID()}`;
