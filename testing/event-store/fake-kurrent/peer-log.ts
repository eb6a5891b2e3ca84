import { closeSync, fdatasyncSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
import { z } from "zod";

const peerRecord = z.strictObject({
  id: z.string(),
  stream: z.string(),
  revision: z.int(),
  type: z.string(),
  contentType: z.string(),
  /** Base64, as in the protocol's messages. */
  data: z.string(),
  metadata: z.string(),
  createdMs: z.int(),
  commit: z.int(),
  prepare: z.int(),
});

/** An event as the server stores it. `commit` and `prepare` are its position, in bytes of an imaginary log. */
export type FakeRecord = z.infer<typeof peerRecord>;

export type FakeEvent = Pick<FakeRecord, "id" | "type" | "contentType" | "data" | "metadata">;

/** The revision the caller expects. */
export type FakeExpected = number | "none" | "any" | "exists";

export type FakePosition = Pick<FakeRecord, "commit" | "prepare">;

/** Where the append ended, or the actual revision. */
export type FakeOutcome = { wrote: FakePosition & { revision: number } } | { standsAt: number | "none" };

// Server events between those of the clients.
const noiseEvery = 5;

export const isBefore = (a: FakePosition, b: FakePosition): boolean =>
  a.commit < b.commit || (a.commit === b.commit && a.prepare < b.prepare);

/** The fake server's log: in memory, and optionally in a file. Acknowledged events are on disk. */
export class FakeLog {
  readonly records: FakeRecord[] = [];
  readonly #streams = new Map<string, FakeRecord[]>();
  /** Ids appended since the start: the real server's memory is as short. */
  readonly #warm = new Map<string, FakeRecord>();
  readonly #file: number | undefined;
  readonly #watchers = new Set<() => void>();
  #end = 0;
  #appends = 0;

  /** @param path of a file that keeps the log over restarts; created if missing */
  constructor(path?: string) {
    if (path === undefined) return;
    this.#file = openSync(path, "a");
    this.#readBack(path);
  }

  /** Records of one stream in order. */
  stream(name: string): readonly FakeRecord[] {
    return this.#streams.get(name) ?? [];
  }

  /** Calls back after each append. Returns the unsubscribe function. */
  watch(callback: () => void): () => void {
    this.#watchers.add(callback);
    return () => this.#watchers.delete(callback);
  }

  /** Atomic. Repeated ids at their own revision get their first answer, whatever the data. */
  append(stream: string, expected: FakeExpected, events: readonly FakeEvent[]): FakeOutcome {
    const there = this.stream(stream);
    const standsAt = there.at(-1)?.revision ?? "none";
    const repeated = this.#findRepeat(stream, expected, events);
    if (repeated) return { wrote: repeated };
    const fits = expected === "any" || (expected === "exists" ? standsAt !== "none" : expected === standsAt);
    if (!fits) return { standsAt };
    if (++this.#appends % noiseEvery === 0) this.#write("$stats-peer", [serverEvent(this.#appends)]);
    const [last] = this.#write(stream, events).slice(-1);
    for (const callback of this.#watchers) callback();
    return last ? { wrote: last } : { standsAt };
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }

  #findRepeat(stream: string, expected: FakeExpected, events: readonly FakeEvent[]): FakeRecord | undefined {
    const there = this.stream(stream);
    if (typeof expected === "string" && expected !== "none") {
      const [first] = events;
      const known = first && this.#warm.get(first.id);
      return known?.stream === stream ? there[known.revision + events.length - 1] : undefined;
    }
    const from = expected === "none" ? 0 : expected + 1;
    const same = events.length > 0 && events.every(({ id }, index) => there[from + index]?.id === id);
    return same ? there[from + events.length - 1] : undefined;
  }

  #write(stream: string, events: readonly FakeEvent[]): FakeRecord[] {
    const from = this.stream(stream).length;
    const createdMs = Date.now();
    const offsets = events.map((event) => {
      const at = this.#end;
      this.#end += 80 + stream.length + event.data.length + event.metadata.length;
      return at;
    });
    const commit = offsets.at(-1) ?? this.#end;
    const records = events.map((event, index) => ({
      ...event,
      stream,
      revision: from + index,
      createdMs,
      commit,
      prepare: offsets[index] ?? commit,
    }));
    if (this.#file !== undefined) {
      writeSync(this.#file, `${JSON.stringify(records)}\n`);
      fdatasyncSync(this.#file);
    }
    this.#keep(records);
    for (const record of records) this.#warm.set(record.id, record);
    return records;
  }

  #keep(records: readonly FakeRecord[]): void {
    for (const record of records) {
      this.records.push(record);
      const stream = this.#streams.get(record.stream);
      if (stream) stream.push(record);
      else this.#streams.set(record.stream, [record]);
    }
  }

  /** A last line cut off by a crash was never acknowledged, and is dropped. */
  #readBack(path: string): void {
    const text = readFileSync(path, "utf8");
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
    for (const line of whole.split("\n").filter(Boolean))
      this.#keep(z.array(peerRecord).parse(JSON.parse(line)));
    const last = this.records.at(-1);
    if (last) this.#end = last.commit + 80 + last.stream.length + last.data.length + last.metadata.length;
    this.#appends = this.records.length;
  }
}

function serverEvent(number: number): FakeEvent {
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
    type: "$statsCollected",
    contentType: "application/json",
    data: Buffer.from("{}").toString("base64"),
    metadata: "",
  };
}
