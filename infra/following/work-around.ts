import type { StoredEvent } from "../event-store/event-store.ts";

/**
 * Does the work of some events. Where it fails it is halved, until the event is alone that it fails at: what comes before is done by then,
 * and what comes after follows.
 * @param culprit hears of each event that fails by itself; it may throw, which ends the work
 * @param goesOn false for a fault that is the batch's and not an event's: that one is thrown as it is
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
