import type { StoredEvent } from "../../../infra/event-store/event-store.ts";

/** Whether two stores hold the same event in the same place of the same stream, to the last character. */
export function isSameEvent(one: StoredEvent, other: StoredEvent): boolean {
  return textOf(one) === textOf(other);
}

const textOf = ({ id, stream, revision, type, data, metadata }: StoredEvent): string =>
  JSON.stringify([id, stream, revision, type, data, metadata]);
