import { settingsDecider } from "../../domain/settings/decide.ts";
import {
  type SettingsState,
  settingsEventSchema,
  settingsEventSchemas,
  settingsStream,
} from "../../domain/settings/settings.ts";
import { eventMetadata } from "../../infra/event-store/event-metadata.ts";
import type { EventStore, Position, StoredEvent } from "../../infra/event-store/event-store.ts";
import { verifyStream } from "../../infra/event-store/hash-chain.ts";
import { whileReading } from "../../infra/event-store/stream-unreadable.ts";
import { createUpcast } from "../../infra/event-store/upcasting.ts";
import { isAbort, nameOfError } from "../../infra/following/follower-faults.ts";
import { pause } from "../../infra/following/follower-turn.ts";
import type { Log } from "../../infra/process/log.ts";
import { type CommandBusDependencies, createCommandBus } from "../command-bus.ts";
import type { SettingsTexts } from "./kept-texts.ts";
import type { GivenSettings, Settings, SettingsBook, SettingsChange } from "./settings.ts";
import { settingsOf } from "./settings-of.ts";

type SettingsBookParts = CommandBusDependencies & {
  readonly texts: SettingsTexts;
  readonly given: GivenSettings;
  readonly log: Log;
};

const retryMs = 1_000;
/** Other processes change settings weekly: reading each batch of the log at once would be most of the reading. */
const gatherMs = 1_000;

/**
 * Reads the settings and follows the log from there; `current()` works from the start.
 * @throws StreamUnreadable, TextMissing, TextChanged: a process must not start with untrustworthy settings
 */
export async function openSettings(parts: SettingsBookParts): Promise<SettingsBook> {
  // Position first, then the stream: a change in between is read twice rather than never.
  const from = await parts.store.head();
  const book = new LogSettingsBook(parts);
  await book.refresh();
  book.follow(from);
  return book;
}

class LogSettingsBook implements SettingsBook {
  readonly given: GivenSettings;
  readonly #parts: SettingsBookParts;
  readonly #bus: ReturnType<typeof settingsBus>;
  readonly #stopping = new AbortController();
  #following: Promise<void> = Promise.resolve();
  #settings: Settings | undefined;
  #trouble: string | undefined;

  constructor(parts: SettingsBookParts) {
    this.#parts = parts;
    this.given = parts.given;
    this.#bus = settingsBus(parts);
  }

  current(): Settings {
    if (!this.#settings) throw new Error("The settings are asked for before they were read.");
    return this.#settings;
  }

  keep(text: unknown): Promise<string> {
    return this.#parts.texts.keep(text);
  }

  async execute(request: Parameters<SettingsBook["execute"]>[0]): ReturnType<SettingsBook["execute"]> {
    const { command, commandId, by, expectedRevision } = request;
    const { state, position } = await this.#bus.execute(settingsStream, {
      command,
      commandId,
      by: { ...by, expectedRevision },
    });
    const settings = await this.#settingsOf(state);
    this.#become(settings);
    return { settings, position };
  }

  history(limit: number): ReturnType<SettingsBook["history"]> {
    return settingsHistory(this.#parts, limit);
  }

  trouble(): string | undefined {
    return this.#trouble;
  }

  async refresh(): Promise<void> {
    const { state } = await this.#bus.load(settingsStream);
    this.#become(await this.#settingsOf(state));
  }

  follow(from: Position): void {
    this.#following = this.#follow(from, this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
  }

  #settingsOf(state: SettingsState): Promise<Settings> {
    return settingsOf(state, this.#parts.texts, this.given);
  }

  /** Takes newer revisions only: a repeated command answers with an old state, and reads may overtake each other. */
  #become(settings: Settings): void {
    if (this.#settings && settings.revision <= this.#settings.revision) return;
    this.#settings = settings;
  }

  /** Unreadable settings are logged and retried; until then the previous ones stay in force. */
  async #follow(from: Position, signal: AbortSignal): Promise<void> {
    let after = from;
    while (!signal.aborted) {
      try {
        for await (const batch of this.#parts.store.follow({ after, signal, gatherMs })) {
          if (batch.some(({ stream }) => stream === settingsStream)) await this.refresh();
          after = batch.at(-1)?.position ?? after;
          this.#trouble = undefined;
        }
        // A closed store ends the follower at once.
        await pause(retryMs, signal);
      } catch (error) {
        if (signal.aborted && isAbort(error)) return;
        this.#trouble = nameOfError(error) ?? "unknown";
        this.#parts.log.error(
          { fault: this.#trouble },
          "the settings cannot be read and stay what they were",
        );
        await pause(retryMs, signal);
      }
    }
  }
}

type Reading = {
  readonly store: Pick<EventStore, "readStream">;
  readonly texts: Pick<SettingsTexts, "read">;
  readonly given: GivenSettings;
};

const settingsBus = (parts: CommandBusDependencies) =>
  createCommandBus(parts, {
    ...settingsReading,
    decider: settingsDecider,
    streamOf: () => settingsStream,
    starts: () => false,
  });

const settingsReading = {
  eventTypes: settingsEventSchemas,
  parseEvent: (event: { type: string; data: unknown }) => settingsEventSchema.parse(event),
};

/**
 * The settings as the log has them now, for a process that does not follow it.
 * @throws StreamUnreadable, TextMissing, TextChanged
 */
export async function readSettings({ store, texts, given }: Reading): Promise<Settings> {
  const stored = await store.readStream(settingsStream);
  const steps = whileReading(settingsStream, () => stepsOf(stored));
  return settingsOf(steps.at(-1)?.after ?? settingsDecider.initial, texts, given);
}

/**
 * Newest changes first, at most `limit`. Verifies and folds the whole stream each time: settings change weekly, not
 * every second.
 * @throws StreamUnreadable, TextMissing, TextChanged
 */
async function settingsHistory(parts: Reading, limit: number): Promise<readonly SettingsChange[]> {
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
