import { createHmac, createSecretKey, randomBytes } from "node:crypto";
import type { Server } from "node:http";
import { isIPv6 } from "node:net";
import type { Request, RequestHandler } from "express";
import type { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import type { LimitName } from "../../../contract/request.ts";
import { comparableEmail } from "../../../domain/ticket/held-texts.ts";
import { Problem } from "../errors/problem.ts";

/** Requests allowed per minute and address, by kind of route. */
export type Limits = {
  readonly reads: number;
  /** By order or ticket number, the target of enumeration, as far as they find nothing; and searches by staff. */
  readonly lookups: number;
  readonly commands: number;
  /** Sends mail to an address the caller chooses. */
  readonly contact: number;
  readonly webhooks: number;
};
export const defaultLimits: Limits = { reads: 600, lookups: 60, commands: 90, contact: 10, webhooks: 1200 };

const windowSeconds = 60;

/** Hourly allowance of mail to strangers, in minutes' worth: protects mailboxes from being flooded through our form. */
const contactMinutesAnHour = 3;

/** Hourly allowance of bodies with files, in bytes as sent: what strangers may add to the database. */
const fileBytesAnHour = 150_000_000;

/** The counter that several gateways share. */
export type SharedCounts = {
  readonly redis: Redis;
  /** IP addresses are personal data: Redis and its files hold only digests made with this key. */
  readonly addressKey: Buffer;
};

/** Most mails an hour to one address that a stranger typed. */
const mostMailsToOneAddress = 5;

/** Most mails an hour that come in from one sender without a return address of ours. */
const mostMailsOfOneSender = 5;

/** Most mails an hour that come in without a return address of ours. */
const mostUnverifiedMails = 200;

const keyPrefix = "certificates:limit";

/** Most addresses counted of each kind in a process. Beyond that, the oldest count is dropped. */
const mostAddresses = 25_000;

/**
 * Counts a request. A guess counts as a lookup before it is answered, so that many at once gain nothing. Customers who
 * share an address must be able to follow their orders: the result gives the lookup back once something was found.
 * @throws Problem 429 with Retry-After in seconds
 */
export type Limit = (request: Request, name: LimitName) => Promise<(() => void) | undefined>;

/**
 * Counts in memory, per process; with `shared`, across processes, falling back to memory while Redis is unavailable.
 */
export function createLimit(limits: Limits, shared?: SharedCounts, most = mostAddresses): Limit {
  const counting = (name: string, points: number, duration: number) =>
    limiterOf(name, new CountsInMemory({ keyPrefix: name, points, duration }, most), shared?.redis);
  const limiter = (name: keyof Limits) => counting(name, limits[name], windowSeconds);
  const lookups = limiter("lookups");
  const contact = [limiter("contact"), counting("contact-hour", limits.contact * contactMinutesAnHour, 3600)];
  const reads = limiter("reads");
  const limiters: Readonly<Record<LimitName, readonly Limiter[]>> = {
    reads: [reads],
    lookups: [lookups],
    guesses: [reads, lookups],
    commands: [limiter("commands")],
    contact,
    links: [lookups, ...contact],
    webhooks: [limiter("webhooks")],
  };
  const addressIn = addressesFor(shared);
  return async (request, name) => {
    const counted = addressIn(request);
    try {
      for (const { count } of limiters[name]) {
        const counting = count(counted);
        if (counting) await counting;
      }
    } catch (refusal) {
      throw asProblem(refusal, "Too many requests: please wait a moment.");
    }
    return name === "guesses" ? () => lookups.giveBack(counted) : undefined;
  };
}

/**
 * Counts a body with files by its bytes.
 * @throws Problem 429 with Retry-After in seconds
 */
export type LimitFiles = (request: Request, bytes: number) => Promise<void>;

/** Counts like `createLimit`. */
export function createFilesLimit(shared?: SharedCounts): LimitFiles {
  const options = { keyPrefix: "file-bytes", points: fileBytesAnHour, duration: 3600 };
  const limiter = limiterOf("file-bytes", new CountsInMemory(options, mostAddresses), shared?.redis);
  const addressIn = addressesFor(shared);
  return async (request, bytes) => {
    try {
      await limiter.count(addressIn(request), bytes);
    } catch (refusal) {
      throw asProblem(refusal, "Too many files were sent from your network: please try again later.");
    }
  };
}

/** What an address is counted by. */
function addressesFor(shared: SharedCounts | undefined): (request: Request) => string {
  const digest = shared && digestsBy(shared.addressKey);
  return ({ ip = "" }) => (digest ? digest(addressOf(ip)) : addressOf(ip));
}

function asProblem(refusal: unknown, words: string): unknown {
  if (!(refusal instanceof RateLimiterRes)) return refusal;
  const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
  return new Problem("too-many-requests", words, { headers: { "Retry-After": String(seconds) } });
}

/** Counts a mail to an address that a stranger typed. False once an hour's are used up. */
export type AllowsMail = (email: string) => Promise<boolean>;

/** Counts like `createLimit`, by digests of the addresses alone. */
export function createMailLimit(shared?: SharedCounts, most = mostAddresses): AllowsMail {
  const { count } = mailsAnHour("recipients", mostMailsToOneAddress, shared, most);
  return async (email) => (await count(email)) === 0;
}

/** Counts a mail and returns 0, or does not count it and returns for how many milliseconds an allowance is used up. */
export type CountsMail = (email: string) => Promise<number>;

/**
 * Counts mail that comes in without a return address of ours, and that we acknowledge. Its sender is easily made up, so
 * all of it counts together as well.
 */
export function createUnverifiedMailLimit(shared?: SharedCounts): CountsMail {
  const ofSender = mailsAnHour("mail-senders", mostMailsOfOneSender, shared, mostAddresses);
  const ofAll = mailsAnHour("unverified-mail", mostUnverifiedMails, shared, 1);
  return async (email) => {
    const waitMs = (await ofSender.count(email)) || (await ofAll.count("all"));
    if (waitMs > 0) ofSender.giveBack(email);
    return waitMs;
  };
}

function mailsAnHour(name: string, points: number, shared: SharedCounts | undefined, most: number) {
  const counts = new CountsInMemory({ keyPrefix: name, points, duration: 3600 }, most);
  const limiter = limiterOf(name, counts, shared?.redis);
  const digest = digestsBy(shared?.addressKey ?? randomBytes(32));
  const counted = (email: string) => digest(comparableEmail(email));
  return {
    /** @returns 0, or above the limit the milliseconds until the hour is over */
    count: async (email: string): Promise<number> => {
      try {
        await limiter.count(counted(email));
        return 0;
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return Math.max(1, refusal.msBeforeNext);
      }
    },
    giveBack: (email: string): void => limiter.giveBack(counted(email)),
  };
}

type Limiter = {
  /** Counts a request, at once unless Redis has to be asked. @throws RateLimiterRes above the limit */
  readonly count: (counted: string, points?: number) => Promise<unknown> | undefined;
  readonly giveBack: (counted: string) => void;
};

type Window = { readonly endsMs: number; consumed: number };

/**
 * Bounded, so that a client with many addresses cannot exhaust memory, and without a timer for each address. Only
 * `consume` and `reward` count here.
 */
class CountsInMemory extends RateLimiterMemory {
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

function limiterOf(name: string, inMemory: CountsInMemory, redis: Redis | undefined): Limiter {
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

function digestsBy(bytes: Buffer): (address: string) => string {
  // Imported once: importing it takes four times as long as the digest.
  const key = createSecretKey(bytes);
  return (address) => createHmac("sha256", key).update(address).digest("base64url");
}

// A household or a server owns a whole /64 of IPv6, so single addresses would be no limit.
export function addressOf(ip: string): string {
  if (!ip.includes(":")) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1]) return mapped[1];
  if (!isIPv6(ip)) return ip;
  const [head = "", tail] = ip.split("::");
  const groups = head.split(":").filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").filter(Boolean).length;
  const full = [...groups, ...Array<string>(missing).fill("0"), ...(tail ?? "").split(":").filter(Boolean)];
  return full.slice(0, 4).join(":");
}

/**
 * Share of all connections that one address may hold: a browser opens six, an office behind one address some dozens.
 */
export const mostOfOneAddress = 100;

/** Counts what each address holds, up to its share. */
export function shares(most: number) {
  const held = new Map<string, number>();
  const release = (address: string) => {
    const left = (held.get(address) ?? 1) - 1;
    if (left > 0) held.set(address, left);
    else held.delete(address);
  };
  return {
    /** Returns a release function; undefined if the address has used up its share. */
    take(address: string): (() => void) | undefined {
      const count = held.get(address) ?? 0;
      if (count >= most) return undefined;
      held.set(address, count + 1);
      return () => release(address);
    },
  };
}

/**
 * Closes connections above their address's share before reading a byte: half-sent requests could otherwise occupy every
 * connection. Not for a server behind a proxy, where all customers share one address.
 */
export function shareConnections(server: Server, most: number): void {
  const connections = shares(most);
  server.prependListener("connection", (socket) => {
    const giveBack = connections.take(addressOf(socket.remoteAddress ?? ""));
    if (giveBack) socket.once("close", giveBack);
    else socket.destroy();
  });
}

/**
 * Behind a proxy: limits requests in progress, by the address the proxy names. A request without one is the proxy's
 * own.
 * @throws Problem 429
 */
export function shareRequests(most: number): RequestHandler {
  const requests = shares(most);
  return (request, response, next) => {
    if (request.headers["x-forwarded-for"] === undefined) return next();
    const giveBack = requests.take(addressOf(request.ip ?? ""));
    if (giveBack) {
      response.on("close", giveBack);
      return next();
    }
    // The rest of the body is not read.
    next(
      new Problem("too-many-requests", "Too many open requests from this address: please wait.", {
        headers: { "Retry-After": "5", Connection: "close" },
      }),
    );
  };
}
