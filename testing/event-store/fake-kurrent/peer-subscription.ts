import { randomUUID } from "node:crypto";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import { type ServerWritableStream, status } from "@grpc/grpc-js";
import { broken, type FakeParts } from "./peer-appends.ts";
import { type FakePosition, type FakeRecord, isBefore } from "./peer-log.ts";
import { checkpointAt, readEvent } from "./peer-messages.ts";

type Call = ServerWritableStream<streams.ReadReq, streams.ReadResp>;

const eventsPerInterval = 32;

/** A subscription to everything: existing events, then new ones, until the client or the fake server ends it. */
export class FakeSubscription {
  readonly #parts: FakeParts;
  readonly #call: Call;
  readonly #prefixes: readonly string[];
  readonly #checkpointEvery: number;
  #next: number;
  #seen = 0;
  #live = false;
  #over = false;
  #wake: (() => void) | undefined;

  constructor(
    parts: FakeParts,
    call: Call,
    options: {
      after: FakePosition | undefined;
      filter: streams.ReadReq.Options.FilterOptions | undefined;
    },
  ) {
    this.#parts = parts;
    this.#call = call;
    this.#prefixes = options.filter?.getStreamIdentifier()?.getPrefixList() ?? [""];
    const interval = options.filter?.getCheckpointintervalmultiplier() ?? 0;
    this.#checkpointEvery = interval > 0 ? interval * eventsPerInterval : Number.POSITIVE_INFINITY;
    this.#next = Math.max(0, this.#indexAfter(options.after) - parts.faults.repeats);
    parts.starts.push(this.#next);
  }

  /** Sends events until the end. */
  async run(): Promise<void> {
    const { log, faults, ended } = this.#parts;
    const unwatch = log.watch(() => this.#appended());
    for (const event of ["cancelled", "close", "error"]) this.#call.once(event, () => this.#finish());
    this.#call.on("drain", () => this.#wake?.());
    ended.addEventListener("abort", () => this.break(broken), { once: true });
    this.#send(new streams.ReadResp().setConfirmation(confirmation()));
    while (!this.#over) {
      await faults.untilThawed(ended);
      const record = log.records[this.#next];
      if (record) await this.#show(record);
      else await this.#catchUp();
    }
    unwatch();
  }

  /** Ends it with an error, like the network or the server. */
  break(error: { code: status; details: string }): void {
    if (this.#over) return;
    this.#call.emit("error", error);
    this.#finish();
  }

  /** Drops a client that does not read, like the server. */
  drop(): void {
    this.break({
      code: status.ABORTED,
      details:
        "Operation timed out: Consumer too slow to handle event while live. Client resubscription required.",
    });
  }

  /** Sends no more events but leaves the call open. */
  fallSilent(): void {
    this.#finish();
  }

  #indexAfter(after: FakePosition | undefined): number {
    if (!after) return 0;
    const index = this.#parts.log.records.findIndex((record) => isBefore(after, record));
    return index < 0 ? this.#parts.log.records.length : index;
  }

  async #show(record: FakeRecord): Promise<void> {
    this.#next += 1;
    this.#seen += 1;
    if (this.#prefixes.some((prefix) => record.stream.startsWith(prefix))) {
      if (this.#parts.faults.cutsNow()) return this.break(broken);
      if (!this.#send(readEvent(record))) await this.#woken();
    }
    if (this.#seen % this.#checkpointEvery === 0)
      this.#send(checkpointAt(record.commit, this.#live ? record.prepare : 0));
  }

  async #catchUp(): Promise<void> {
    if (!this.#live) this.#send(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()));
    this.#live = true;
    await this.#woken();
  }

  #appended(): void {
    const behind = this.#parts.log.records.length - this.#next;
    if (this.#live && behind > this.#parts.faults.liveBuffer) this.drop();
    this.#wake?.();
  }

  #send(response: streams.ReadResp): boolean {
    return this.#over || this.#call.write(response);
  }

  #woken(): Promise<void> {
    if (this.#over) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return promise;
  }

  #finish(): void {
    this.#over = true;
    this.#wake?.();
  }
}

function confirmation(): streams.ReadResp.SubscriptionConfirmation {
  return new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID());
}
