import { createHash, hash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Actor } from "../../../domain/decider.ts";
import { addSeconds, secondsPerDay } from "../../../domain/instant.ts";
import { orderNumberOf, orderReference } from "../../../domain/numbers.ts";
import { orderDecider } from "../../../domain/order/decide.ts";
import { type OrderEvent, orderEventSchemas, orderStream } from "../../../domain/order/events.ts";
import { absent, exists, type Order, type OrderState } from "../../../domain/order/state.ts";
import type { ServiceLevel } from "../../../domain/order/vocabulary.ts";
import { promiseOf } from "../../../domain/promise/timetable.ts";
import type { DeriveId } from "../../vault/vault.ts";
import {
  buying,
  chosen,
  commandMark,
  contact,
  type Ending,
  ending,
  eventMark,
  marks,
  paying,
} from "./life-steps.ts";
import { between } from "./seeded-random.ts";

/** An event as decided, its author and command, and the order after it. */
type Lived = {
  readonly event: OrderEvent;
  readonly at: string;
  readonly actor: Actor;
  readonly command: number;
  readonly after: Order;
};

/** A Monday at ten; odd milliseconds, so no other text looks like one of its timestamps. */
const lifeStart = "2025-06-02T09:00:00.137Z";

/** A whole life, decided by the domain itself: from opening to the day on which the last personal data was purged. */
export function pastLife(random: () => number, how: Ending, retentionDays: number): Lived[] {
  const choice = chosen(random);
  const steps = [
    ...buying(random, choice),
    ...(how === "expired" ? [] : paying(random, choice.unitPence * choice.copies)),
    ...ending(random, how, choice),
    ...(how === "expired"
      ? []
      : contact(retentionDays * secondsPerDay + between(random, 1, 60), "retention")),
  ];
  const lived: Lived[] = [];
  let state: OrderState = absent;
  let at = lifeStart;
  for (const [n, [secondsLater, kind, command]] of steps.entries()) {
    at = addSeconds(at, secondsLater);
    const actor = { kind, id: kind === "customer" ? marks.orderId : "seed" };
    const decided = orderDecider.decide(state, command(at, state), {
      commandId: commandMark(n),
      at,
      actor,
      correlationId: "seed",
    });
    for (const event of decided) {
      state = orderDecider.evolve(state, event, {
        eventId: eventMark(lived.length),
        at,
        revision: lived.length,
      });
      if (exists(state)) lived.push({ event, at, actor, command: n, after: state });
    }
  }
  return lived;
}

/** The values that distinguish an order from others with the same life. */
type OrderMarks = Readonly<Record<keyof typeof marks, string>> & {
  /** The id of the nth event and of the nth command. */
  readonly eventIds: readonly string[];
  readonly commandIds: readonly string[];
  /** Start, in milliseconds since 1970. */
  readonly startMs: number;
};

/** An event ready for the log's columns; both JSON texts are canonical. */
export type CopiedEvent = {
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
  readonly atMs: number;
};

const previousMark = "d".repeat(64);
const hashMark = "c".repeat(64);

/** A text split at its marks, so filling them in is a join. */
type Pattern = { readonly pieces: readonly string[]; readonly places: readonly number[] };

/** A life with its marks already located: copying it takes microseconds, deciding it again milliseconds. */
export class LifeToCopy {
  readonly #names: readonly string[];
  readonly #moments: readonly number[];
  readonly #level: ServiceLevel;
  readonly #requested: number | undefined;
  readonly #events: readonly {
    hashed: Pattern;
    data: Pattern;
    metadata: Pattern;
    type: string;
    atMs: number;
  }[];
  readonly #records: readonly Pattern[];
  readonly length: number;

  /** @param records what a read model keeps after each event, to be copied too */
  constructor(lived: readonly Lived[], records: readonly unknown[] = []) {
    const first = Date.parse(lived[0]?.at ?? "");
    const asked = lived.find(({ event }) => event.type === "SubmissionRequested");
    const promise = asked?.after.promise;
    const instants = [...new Set(lived.map(({ at }) => at))];
    const commands = Math.max(...lived.map(({ command }) => command)) + 1;
    this.#names = [
      ...Object.values(marks),
      ...lived.map((_, n) => eventMark(n)),
      ...Array.from({ length: commands }, (_, n) => commandMark(n)),
      previousMark,
      hashMark,
      ...instants,
      // After the timestamps, which begin with a day.
      ...(promise ? [promise.receivedOn, promise.despatchBy].map((day) => `"${day}"`) : []),
    ];
    this.#moments = instants.map((at) => Date.parse(at) - first);
    this.#level = lived.at(-1)?.after.variant?.serviceLevel ?? "standard";
    this.#requested = asked && Date.parse(asked.at) - first;
    this.#events = lived.map((one, revision) => this.#eventOf(one, revision, first));
    this.#records = records.map((record) => this.#cut(JSON.stringify(record)));
    this.length = lived.length;
  }

  #eventOf({ event, at, actor, command }: Lived, revision: number, first: number) {
    const metadata = {
      ...{
        commandId: commandMark(command),
        fingerprint: null,
        actor,
        correlationId: "seed",
        causationId: null,
      },
      ...{ schemaVersion: orderEventSchemas[event.type].version, at },
      previousHash: revision === 0 ? null : previousMark,
    };
    const { type, data } = event;
    const link = { stream: orderStream(marks.orderId), revision, id: eventMark(revision), type };
    return {
      type,
      atMs: Date.parse(at) - first,
      hashed: this.#cut(canonicalize({ ...link, data, metadata }) ?? ""),
      data: this.#cut(canonicalize(data) ?? ""),
      metadata: this.#cut(canonicalize({ ...metadata, hash: hashMark }) ?? ""),
    };
  }

  #cut(text: string): Pattern {
    const escaped = this.#names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const pieces: string[] = [];
    const places: number[] = [];
    let from = 0;
    for (const found of text.matchAll(new RegExp(escaped.join("|"), "g"))) {
      pieces.push(text.slice(from, found.index));
      places.push(this.#names.indexOf(found[0]));
      from = found.index + found[0].length;
    }
    return { pieces: [...pieces, text.slice(from)], places };
  }

  #values(order: OrderMarks): string[] {
    const moments = this.#moments.map((ms) => new Date(order.startMs + ms).toISOString());
    return [
      ...Object.keys(marks).map((name) => String(Reflect.get(order, name))),
      ...order.eventIds.slice(0, this.length),
      ...order.commandIds.slice(0, this.#names.length - this.#fixedNames()),
      "",
      "",
      ...moments,
      ...(this.#requested === undefined ? [] : promised(this.#level, order.startMs + this.#requested)),
    ];
  }

  #fixedNames(): number {
    const promise = this.#requested === undefined ? 0 : 2;
    return Object.keys(marks).length + this.length + 2 + this.#moments.length + promise;
  }

  /** An order's events, chained: the first `most`, or all. */
  events(order: OrderMarks, most = this.length): CopiedEvent[] {
    const values = this.#values(order);
    const previous = this.#names.indexOf(previousMark);
    const stream = orderStream(order.orderId);
    return this.#events.slice(0, most).map((event, revision) => {
      const digest = hash("sha256", filled(event.hashed, values), "hex");
      values[previous + 1] = digest;
      const metadata = filled(event.metadata, values);
      values[previous] = digest;
      return {
        stream,
        revision,
        id: order.eventIds[revision] ?? "",
        type: event.type,
        data: filled(event.data, values),
        metadata,
        atMs: order.startMs + event.atMs,
      };
    });
  }

  /** An order's record after this many events, as JSON. */
  recordAfter(order: OrderMarks, events: number): string {
    const pattern = this.#records[events - 1];
    if (!pattern) throw new RangeError(`This life has ${this.#records.length} records.`);
    return filled(pattern, this.#values(order));
  }
}

function filled({ pieces, places }: Pattern, values: readonly string[]): string {
  let text = pieces[0] ?? "";
  for (let n = 0; n < places.length; n++) text += (values[places[n] ?? 0] ?? "") + (pieces[n + 1] ?? "");
  return text;
}

const promises = new Map<string, string[]>();

/** The dates of a promise as JSON; cached by the hour, since finer times do not matter. */
function promised(level: ServiceLevel, atMs: number): string[] {
  const at = new Date(atMs).toISOString();
  const hourOf = `${level} ${at.slice(0, 13)}`;
  const known = promises.get(hourOf);
  if (known) return known;
  const { receivedOn, despatchBy } = promiseOf(level, at);
  const days = [receivedOn, despatchBy].map((day) => `"${day}"`);
  promises.set(hourOf, days);
  return days;
}

/** A UUID from 16 bytes of a digest. */
function uuidAt(digest: Buffer, at: number): string {
  const hex = digest.toString("hex", at, at + 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

const digestOf = (...parts: readonly string[]): Buffer => {
  const digest = createHash("sha512");
  for (const part of parts) digest.update(part);
  return digest.digest();
};

/**
 * Ids and numbers of the nth order of a seed: always the same in this installation, and unpredictable outside it.
 * @param events number of event and command ids to create
 */
export function orderMarksOf(
  deriveId: DeriveId,
  seed: number,
  nth: number,
  startMs: number,
  events: number,
): OrderMarks {
  const root = deriveId("seeded-order", String(seed), String(nth));
  const ids = digestOf(root, "ids");
  const labels = digestOf(root, "labels");
  const many = Array.from({ length: Math.ceil(events / 2) }, (_, n) => digestOf(root, String(n)));
  return {
    orderId: uuidAt(ids, 0),
    contact: uuidAt(ids, 16),
    signature: uuidAt(ids, 32),
    application: uuidAt(ids, 48),
    groReference: uuidAt(labels, 48),
    orderNumber: orderNumberOf(labels.readBigUInt64BE(0)),
    reference: orderReference(new Date(startMs).getUTCFullYear(), labels.readUInt32BE(8) % 1000),
    intentId: `pi_${labels.toString("hex", 12, 24)}`,
    applicationKey: digestOf(root, "application").toString("hex", 0, 32),
    contactKey: digestOf(root, "contact").toString("hex", 0, 32),
    eventIds: many.flatMap((digest) => [uuidAt(digest, 0), uuidAt(digest, 16)]),
    commandIds: many.flatMap((digest) => [uuidAt(digest, 32), uuidAt(digest, 48)]),
    startMs,
  };
}
