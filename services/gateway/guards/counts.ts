import { createHmac, createSecretKey } from "node:crypto";
import type { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";

/** The counter that several gateways share. */
export type SharedCounts = {
  readonly redis: Redis;
  /** IP addresses are personal data: Redis and its files hold only digests made with this key. */
  readonly addressKey: Buffer;
};

const keyPrefix = "certificates:limit";

/** Most addresses counted of each kind in a process. Beyond that, the oldest count is dropped. */
export const mostAddresses = 25_000;

export type Limiter = {
  /** Counts a request, at once unless Redis has to be asked. @throws RateLimiterRes above the limit */
  readonly count: (counted: string, points?: number) => Promise<unknown> | undefined;
  readonly giveBack: (counted: string) => void;
};

type Window = { readonly endsMs: number; consumed: number };

/**
 * Bounded, so that a client with many addresses cannot exhaust memory, and without a timer for each address. Only
 * `consume` and `reward` count here.
 */
export class CountsInMemory extends RateLimiterMemory {
  readonly #most: number;
  /** In the order they began, and so end: a Map keeps insertion order. */
  readonly #windows = new Map<string | number, Window>();
  #dropping: NodeJS.Timeout | undefined;

  constructor(options: { keyPrefix: string; points: number; duration: number }, most: number) {
    super(options);
    this.#most = most;
  }

  override async consume(address: string | number, points = 1): Promise<RateLimiterRes> {
    return this.#resultOf(this.add(address, points));
  }

  override async reward(address: string | number, points = 1): Promise<RateLimiterRes> {
    return this.#resultOf(this.take(address, points));
  }

  /** @throws RateLimiterRes above the limit */
  add(address: string | number, points = 1): Window {
    const nowMs = performance.now();
    this.#dropEnded(nowMs);
    const window = this.#windows.get(address) ?? this.#begin(address, nowMs);
    window.consumed += points;
    if (window.consumed > this.points) throw this.#resultOf(window);
    return window;
  }

  take(address: string | number, points = 1): Window {
    const window = this.#windows.get(address);
    if (window) window.consumed -= points;
    return window ?? { endsMs: performance.now(), consumed: 0 };
  }

  #resultOf({ endsMs, consumed }: Window): RateLimiterRes {
    const left = Math.max(0, this.points - consumed);
    return new RateLimiterRes(left, Math.ceil(endsMs - performance.now()), consumed, false);
  }

  #begin(address: string | number, nowMs: number): Window {
    if (this.#windows.size >= this.#most) {
      const [oldest] = this.#windows.keys();
      if (oldest !== undefined) this.#windows.delete(oldest);
    }
    const window = { endsMs: nowMs + this.duration * 1000, consumed: 0 };
    this.#windows.set(address, window);
    this.#dropLater();
    return window;
  }

  #dropEnded(nowMs: number): void {
    for (const [address, { endsMs }] of this.#windows) {
      if (endsMs > nowMs) break;
      this.#windows.delete(address);
    }
  }

  /** An address is not kept longer because no other came. */
  #dropLater(): void {
    this.#dropping ??= setTimeout(() => {
      this.#dropping = undefined;
      this.#dropEnded(performance.now());
      if (this.#windows.size > 0) this.#dropLater();
    }, this.duration * 1000).unref();
  }
}

const givenBack: ReadonlySet<string> = new Set(["lookups", "mail-senders"]);

export function limiterOf(name: string, inMemory: CountsInMemory, redis: Redis | undefined): Limiter {
  if (!redis) {
    const count = (counted: string, points?: number) => void inMemory.add(counted, points);
    return { count, giveBack: (counted) => void inMemory.take(counted) };
  }
  const { points, duration } = inMemory;
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `${keyPrefix}:${name}`,
    points,
    duration,
    rejectIfRedisNotReady: true,
    insuranceLimiter: inMemory,
    // An address past its limit is refused from memory until its time is over, without asking Redis each time: not
    // where what was counted may be given back.
    ...(!givenBack.has(name) && { inMemoryBlockOnConsumed: points + 1 }),
  });
  return {
    count: (counted, points) => limiter.consume(counted, points),
    // Unless Redis is away, and then its answer no longer matters.
    giveBack: (counted) => void limiter.reward(counted).catch(() => undefined),
  };
}

export function digestsBy(bytes: Buffer): (address: string) => string {
  // Imported once: importing it takes four times as long as the digest.
  const key = createSecretKey(bytes);
  return (address) => createHmac("sha256", key).update(address).digest("base64url");
}
