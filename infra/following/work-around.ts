import type { StoredEvent } from "../event-store/event-store.ts";

/**
 * Processes events. On failure the batch is halved until the failing event is alone: earlier events are then done, and
 * later ones follow.
 * @param culprit called for each event that fails alone; may throw to stop
 * @param goesOn false for an error of the whole batch, which is rethrown
 */
export async function workAround(
  events: readonly StoredEvent[],
  work: (events: readonly StoredEvent[]) => Promise<void>,
  culprit: (event: StoredEvent, error: unknown) => Promise<void>,
  goesOn: (error: unknown) => boolean,
): Promise<void> {
  try {
    return await work(events);
  } catch (error) {
    if (!goesOn(error)) throw error;
    const [first] = events;
    if (first && events.length === 1) return culprit(first, error);
  }
  const half = Math.ceil(events.length / 2);
  await workAround(events.slice(0, half), work, culprit, goesOn);
  await workAround(events.slice(half), work, culprit, goesOn);
}
