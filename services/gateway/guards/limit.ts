import type { Request } from "express";
import { RateLimiterRes } from "rate-limiter-flexible";
import type { LimitName } from "../../../contract/request.ts";
import { Problem } from "../errors/problem.ts";
import { addressOf } from "./client-address.ts";
import {
  CountsInMemory,
  digestsBy,
  type Limiter,
  limiterOf,
  mostAddresses,
  type SharedCounts,
} from "./counts.ts";

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
      throw asProblem(refusal, "Too many requests from your network. Please wait a little and try again.");
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
