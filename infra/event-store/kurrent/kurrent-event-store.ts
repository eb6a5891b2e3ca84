import { randomUUID } from "node:crypto";
import {
  type AllStreamResolvedEvent,
  BACKWARDS,
  END,
  NO_STREAM,
  type ReadPosition,
  type ResolvedEvent,
  type Position as ServerPosition,
  START,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from "@eventstore/db-client";
import { OperatorError } from "../../process/operator-error.ts";
import {
  type Appended,
  type AppendRequest,
  beginning,
  type EventStore,
  type FollowOptions,
  type Position,
  StoreBusy,
  type StoredEvent,
} from "../event-store.ts";
import { defaultGateLimits } from "../postgres/append-gate.ts";
import { within } from "../reach-event-store.ts";
import { KurrentAppends } from "./kurrent-appends.ts";
import { type SharedClient, shareClient } from "./kurrent-client.ts";
import { isNoPlace, readingError } from "./kurrent-errors.ts";
import { type LogNames, namesOf, storedEvent } from "./kurrent-events.ts";
import { followKurrent } from "./kurrent-feed.ts";
import { placeOf } from "./kurrent-position.ts";
import { readOnOpenChannel, readUntil } from "./kurrent-reading.ts";

/**
 * In milliseconds: how long an append may wait for its turn and its answer, and reads and subscriptions may be silent.
 */
type KurrentTimeouts = Record<"turn" | "answer" | "read" | "follow", number>;

const defaultKurrentTimeoutsMs: KurrentTimeouts = {
  turn: defaultGateLimits.waitMs,
  answer: 5000,
  read: 5000,
  follow: 10_000,
};

type KurrentEventStoreOptions = {
  /** `esdb://…`, as in the vendor's client. */
  url: string;
  /** Letters, digits and hyphens; keeps this log apart from others on the same server. */
  name?: string;
  timeoutsMs?: Partial<KurrentTimeouts>;
  /** Events a follower buffers. */
  mostQueued?: number;
  newId?: () => string;
  /** Id for a log that has none yet; a fresh one by default. */
  logId?: string;
  /** Read only: a log without an id is given none. */
  onlyLooks?: boolean;
  /** Called when followers wait for a lost subscription. */
  onTrouble?: (error: unknown) => void;
};

/**
 * The event store on EventStoreDB or KurrentDB. All stores of one process share a client.
 * @throws OperatorError for an invalid address
 */
export function createKurrentEventStore(options: KurrentEventStoreOptions): EventStore {
  return new KurrentEventStore(options);
}

const identityTries = 3;

/** Where events of other programs lie between ours, each page is larger than the one before. */
const pageGrowth = 8;
const mostAsked = 4_096;

type ReadAllOptions = NonNullable<Parameters<SharedClient["client"]["readAll"]>[0]>;

/** Our events among some of the server's, where the last of these is, and whether they are as many as were asked for. */
type Page = {
  readonly ours: readonly StoredEvent[];
  readonly last: ServerPosition | undefined;
  readonly isWhole: boolean;
};

const noLogYet = (): OperatorError =>
  new OperatorError(
    "The event store at EVENTSTORE_URL holds no log of ours yet: the first start creates one. If the product was started before, set EVENTSTORE_URL to the server it used.",
  );

class KurrentEventStore implements EventStore {
  readonly #connection: SharedClient;
  readonly #names: LogNames;
  readonly #timeoutsMs: KurrentTimeouts;
  readonly #mostQueued: number;
  readonly #appends: KurrentAppends;
  readonly #newId: () => string;
  readonly #firstLogId: string | undefined;
  readonly #onlyLooks: boolean;
  readonly #onTrouble: (error: unknown) => void;
  readonly #closing = new AbortController();

  constructor(options: KurrentEventStoreOptions) {
    const { url, name = "certificates", newId = randomUUID, onTrouble = () => undefined } = options;
    this.#connection = shareClient(url);
    this.#names = namesOf(name);
    this.#timeoutsMs = { ...defaultKurrentTimeoutsMs, ...options.timeoutsMs };
    this.#mostQueued = options.mostQueued ?? 5_000;
    this.#newId = newId;
    this.#firstLogId = options.logId;
    this.#onlyLooks = options.onlyLooks ?? false;
    this.#onTrouble = onTrouble;
    const { prefix } = this.#names;
    const { turn: turnMs, answer: answerMs } = this.#timeoutsMs;
    this.#appends = new KurrentAppends({ connection: this.#connection, prefix, newId, turnMs, answerMs });
  }

  async append(request: AppendRequest): Promise<Appended> {
    if (this.#closing.signal.aborted) throw new StoreBusy("The event store is closed.");
    return this.#appends.append(request);
  }

  async readStream(stream: string, from = 0): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    await this.#readStream(`${this.#names.prefix}${stream}`, from, ({ event }) => {
      if (event) events.push(storedEvent(event, this.#names));
    });
    return events;
  }

  async readAll(after: Position, limit: number): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    let fromPosition: ReadPosition = placeOf(after) ?? START;
    // One more, because the server includes the position it is asked for.
    for (let asked = limit + 1; events.length < limit; asked = Math.min(asked * pageGrowth, mostAsked)) {
      const { ours, last, isWhole } = await this.#readPage({ fromPosition, maxCount: asked });
      for (const event of ours) if (event.position > (events.at(-1)?.position ?? after)) events.push(event);
      if (!last || !isWhole) break;
      fromPosition = last;
    }
    return events.slice(0, Math.max(0, limit));
  }

  async eventAt(position: Position): Promise<StoredEvent | undefined> {
    const fromPosition = placeOf(position);
    if (!fromPosition) return undefined;
    try {
      const { ours } = await this.#readPage({ fromPosition, maxCount: 1 });
      return ours.find((event) => event.position === position);
    } catch (error) {
      if (!isNoPlace(error)) throw error;
      return undefined;
    }
  }

  follow(options: FollowOptions): AsyncIterable<readonly StoredEvent[]> {
    const log = {
      client: this.#connection.client,
      names: this.#names,
      mostQueued: this.#mostQueued,
      silenceMs: this.#timeoutsMs.follow,
      closing: this.#closing.signal,
      onTrouble: this.#onTrouble,
    };
    return followKurrent(log, options);
  }

  async head(): Promise<Position> {
    for (let asked = 1; ; asked *= pageGrowth) {
      const { ours, isWhole } = await this.#readPage({
        ...{ fromPosition: END, direction: BACKWARDS, maxCount: asked },
      });
      const [newest] = ours;
      if (newest || !isWhole) return newest?.position ?? beginning;
    }
  }

  /** Kept in a stream beside the log, written by the first process that asks. */
  async logId(): Promise<string> {
    for (let tries = 0; tries < identityTries; tries++) {
      const known = await this.#readLogId();
      if (known !== undefined) return known;
      if (this.#onlyLooks) throw noLogYet();
      await this.#writeLogId();
    }
    throw new Error("The event store did not keep the id of its log.");
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#appends.idle();
    await this.#connection.release();
  }

  async #readLogId(): Promise<string | undefined> {
    let id: string | undefined;
    await this.#readStream(this.#names.identity, 0, ({ event }) => {
      const data: unknown = event?.data;
      if (typeof data === "object" && data !== null && "logId" in data) id ??= String(data.logId);
    });
    return id;
  }

  async #writeLogId(): Promise<void> {
    const event = {
      id: this.#newId(),
      contentType: "application/json",
      type: "LogBegun",
      data: { logId: this.#firstLogId ?? this.#newId() },
      metadata: undefined,
    } as const;
    const { client, credentials } = this.#connection;
    const options = { expectedRevision: NO_STREAM, credentials, requiresLeader: true } as const;
    const { answer } = this.#timeoutsMs;
    try {
      await within(
        answer,
        client.appendToStream(this.#names.identity, event, { ...options, deadline: answer }),
      );
    } catch (error) {
      // Another process came first; its id is read next.
      if (!(error instanceof WrongExpectedVersionError)) throw readingError(error);
    }
  }

  async #readStream(name: string, from: number, take: (resolved: ResolvedEvent) => void): Promise<void> {
    const options = { fromRevision: BigInt(from), requiresLeader: true };
    try {
      await readOnOpenChannel(() =>
        readUntil(
          this.#connection.client.readStream(name, options),
          this.#timeoutsMs.read,
          (resolved: ResolvedEvent) => {
            take(resolved);
            return "more";
          },
        ),
      );
    } catch (error) {
      if (!(error instanceof StreamNotFoundError)) throw error;
    }
  }

  /**
   * So many events of the server, or fewer at its end. Read to its end: a server closes the connection of a client that
   * cancels many reads.
   */
  async #readPage(options: ReadAllOptions & { readonly maxCount: number }): Promise<Page> {
    let [ours, last, count]: [StoredEvent[], ServerPosition | undefined, number] = [[], undefined, 0];
    await readOnOpenChannel(() => {
      [ours, last, count] = [[], undefined, 0];
      return readUntil(
        this.#connection.client.readAll({ ...options, requiresLeader: true }),
        this.#timeoutsMs.read,
        ({ event }: AllStreamResolvedEvent) => {
          if (!event) return "more";
          count += 1;
          last = event.position;
          if (event.streamId.startsWith(this.#names.prefix)) ours.push(storedEvent(event, this.#names));
          return "more";
        },
      );
    });
    return { ours, last, isWhole: count >= options.maxCount };
  }
}
