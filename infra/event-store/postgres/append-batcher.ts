import { setTimeout as delay } from "node:timers/promises";
import {
  type Appended,
  type AppendRequest,
  OutcomeUnknown,
  StoreBusy,
  WrongExpectedRevision,
} from "../event-store.ts";
import { type EncodedAppend, encodeAppend } from "./append-request.ts";

export interface AppendChannel {
  /** Ensures that a batch can be sent; nothing was sent when it throws. */
  connect(): Promise<void>;
  /**
   * Writes each append of the batch atomically, and returns their results in order.
   * @throws OutcomeUnknown when the answer was lost, StoreBusy when nothing was written and a retry may succeed, any
   * other error when nothing was written and the batch is to blame
   */
  send(batch: readonly EncodedAppend[]): Promise<readonly (Appended | WrongExpectedRevision)[]>;
  close(): Promise<void>;
}

export type BatcherLimits = {
  /** Limit on waiting appends, and on their JSON with their companions; one more is StoreBusy. */
  queued: number;
  queuedBytes: number;
  /** Appends in one batch. */
  batch: number;
  /** Bytes in one batch, of JSON and companions. A single append may exceed it. */
  batchBytes: number;
  /** How long an append may wait for its turn. */
  waitMs: number;
};

export const defaultLimits: BatcherLimits = {
  queued: 4096,
  queuedBytes: 67_108_864,
  batch: 256,
  batchBytes: 4_194_304,
  waitMs: 4000,
};

export type OnBatch = (appends: number, seconds: number) => void;

const reconnectMs = { first: 25, most: 400 } as const;

type Waiting = {
  append: EncodedAppend;
  since: number;
  resolve: (appended: Appended) => void;
  reject: (error: unknown) => void;
};

/** Collects concurrent appends while a batch is in flight, and resolves each separately. */
export class AppendBatcher {
  readonly #channel: AppendChannel;
  readonly #limits: BatcherLimits;
  readonly #onBatch: OnBatch;
  #queue: Waiting[] = [];
  #queuedBytes = 0;
  #work: Promise<void> | undefined;
  /** Why nothing can be sent at present. */
  #hindrance: unknown;
  #closed = false;

  constructor(
    channel: AppendChannel,
    limits: BatcherLimits = defaultLimits,
    onBatch: OnBatch = () => undefined,
  ) {
    this.#channel = channel;
    this.#limits = limits;
    this.#onBatch = onBatch;
  }

  /** As EventStore's; RangeError for a request that is too large for any store. */
  append(request: AppendRequest): Promise<Appended> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new StoreBusy("The event store is closed.");
      const append = encodeAppend(request);
      if (
        this.#queue.length >= this.#limits.queued ||
        this.#queuedBytes + append.bytes > this.#limits.queuedBytes
      )
        throw new StoreBusy(`${this.#queue.length} appends are waiting already.`);
      this.#queue.push({ append, since: performance.now(), resolve, reject });
      this.#queuedBytes += append.bytes;
      this.#work ??= this.#drain();
    });
  }

  /** Writes what is queued, then releases the connection. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#work;
    await this.#channel.close();
  }

  async #drain(): Promise<void> {
    let pauseMs: number = reconnectMs.first;
    // Callers answered together often append together again: one turn of the loop gathers them into one batch.
    await new Promise((gathered) => setImmediate(gathered));
    while (this.#turnAwayTheLate() > 0) {
      try {
        await this.#channel.connect();
      } catch (error) {
        this.#hindrance = error;
        // Waiting appends are refused once they are late, so this ends.
        await delay(pauseMs);
        pauseMs = Math.min(pauseMs * 2, reconnectMs.most);
        continue;
      }
      pauseMs = reconnectMs.first;
      this.#hindrance = undefined;
      await this.#deliver(this.#takeBatch());
      await new Promise((gathered) => setImmediate(gathered));
    }
    this.#work = undefined;
  }

  /** Returns how many remain. */
  #turnAwayTheLate(): number {
    const oldest = performance.now() - this.#limits.waitMs;
    const late = this.#queue.findIndex((waiting) => waiting.since > oldest);
    for (const { append, reject } of this.#queue.splice(0, late < 0 ? this.#queue.length : late)) {
      this.#queuedBytes -= append.bytes;
      reject(new StoreBusy("The append waited too long for its turn.", { cause: this.#hindrance }));
    }
    return this.#queue.length;
  }

  /** The oldest of each stream; a later append to a stream can be checked only after the earlier one. */
  #takeBatch(): Waiting[] {
    const batch: Waiting[] = [];
    const streams = new Set<string>();
    const left: Waiting[] = [];
    let bytes = 0;
    let full = false;
    for (const waiting of this.#queue) {
      const { stream } = waiting.append;
      full ||= batch.length >= this.#limits.batch;
      full ||= batch.length > 0 && bytes + waiting.append.bytes > this.#limits.batchBytes;
      if (full || streams.has(stream)) {
        left.push(waiting);
        continue;
      }
      streams.add(stream);
      bytes += waiting.append.bytes;
      batch.push(waiting);
    }
    this.#queue = left;
    this.#queuedBytes -= bytes;
    return batch;
  }

  async #deliver(batch: readonly Waiting[]): Promise<void> {
    const fault = await this.#attempt(batch);
    if (fault === undefined) return;
    if (batch.length === 1 || fault instanceof StoreBusy || fault instanceof OutcomeUnknown) {
      for (const { reject } of batch) reject(fault);
      return;
    }
    await this.#deliverSingly(batch);
  }

  /** One append spoilt the batch: alone, only that one fails. If the store disappears, the rest is refused. */
  async #deliverSingly(batch: readonly Waiting[]): Promise<void> {
    let unavailable: StoreBusy | undefined;
    for (const waiting of batch) {
      if (unavailable) {
        waiting.reject(unavailable);
        continue;
      }
      const fault = await this.#attempt([waiting]);
      if (fault === undefined) continue;
      waiting.reject(fault);
      if (fault instanceof StoreBusy || fault instanceof OutcomeUnknown)
        unavailable = new StoreBusy("The event store became unreachable before this append was sent.", {
          cause: fault,
        });
    }
  }

  /** Resolves the whole batch, or returns the error: unless it is OutcomeUnknown, nothing was written. */
  async #attempt(batch: readonly Waiting[]): Promise<unknown> {
    const startedAt = performance.now();
    let isAnswered = false;
    try {
      const outcomes = await this.#channel.send(batch.map(({ append }) => append));
      isAnswered = true;
      this.#onBatch(batch.length, (performance.now() - startedAt) / 1000);
      if (outcomes.length !== batch.length)
        throw new OutcomeUnknown("The store did not answer for each append.");
      for (const [index, outcome] of outcomes.entries()) {
        const waiting = batch[index];
        if (outcome instanceof WrongExpectedRevision) waiting?.reject(outcome);
        else waiting?.resolve(outcome);
      }
      return undefined;
    } catch (error) {
      // Sent again, an append that was written would be refused, and the keys of its records zeroed.
      return isAnswered ? new OutcomeUnknown("The answer could not be passed on.", { cause: error }) : error;
    }
  }
}
