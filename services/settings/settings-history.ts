import { settingsDecider } from "../../domain/settings/decide.ts";
import { settingsEventSchema, settingsEventSchemas, settingsStream } from "../../domain/settings/events.ts";
import { eventMetadata } from "../../infra/event-store/event-metadata.ts";
import type { EventStore, StoredEvent } from "../../infra/event-store/event-store.ts";
import { verifyStream } from "../../infra/event-store/hash-chain.ts";
import { whileReading } from "../../infra/event-store/stream-unreadable.ts";
import { createUpcast } from "../../infra/event-store/upcasting.ts";
import type { GivenSettings, SettingsChange } from "./settings.ts";
import { settingsOf } from "./settings-of.ts";
import type { SettingsTexts } from "./settings-texts.ts";

/** How the settings' events are read from the log. */
export const settingsReading = {
  eventTypes: settingsEventSchemas,
  parseEvent: (event: { type: string; data: unknown }) => settingsEventSchema.parse(event),
};

/**
 * The newest changes first, at most `limit`. The whole stream is verified and folded each time: it has a change a week, not a second.
 * @throws StreamUnreadable, TextMissing, TextChanged
 */
export async function settingsHistory(
  parts: { store: Pick<EventStore, "readStream">; texts: Pick<SettingsTexts, "read">; given: GivenSettings },
  limit: number,
): Promise<readonly SettingsChange[]> {
  const { store, texts, given } = parts;
  const stored = await store.readStream(settingsStream);
  const steps = whileReading(settingsStream, () => stepsOf(stored));
  return Promise.all(
    steps
      .slice(-limit)
      .reverse()
      .map(async ({ before, after, ...change }) => ({
        ...change,
        before: await settingsOf(before, texts, given),
        after: await settingsOf(after, texts, given),
      })),
  );
}

function stepsOf(stored: readonly StoredEvent[]) {
  verifyStream(settingsStream, stored);
  const upcast = createUpcast(settingsEventSchemas);
  let state = settingsDecider.initial;
  return stored.map((kept) => {
    const { at, actor } = eventMetadata.parse(kept.metadata);
    const { id: eventId, revision } = kept;
    const event = settingsReading.parseEvent(upcast(kept));
    const before = state;
    state = settingsDecider.evolve(before, event, { eventId, at, revision });
    return { revision, at, by: actor.id, event, before, after: state };
  });
}
