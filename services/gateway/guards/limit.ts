import { isIPv6 } from "node:net";
import type { Request } from "express";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { Problem } from "../problem.ts";

/** Requests per minute and address that each kind of route takes. */
export type Limits = {
  readonly reads: number;
  /** By an order or ticket number: what an enumerator would call. */
  readonly lookups: number;
  readonly commands: number;
  /** What sends a mail to whatever address somebody gives. */
  readonly contact: number;
  readonly webhooks: number;
};
export type LimitName = keyof Limits;

export const defaultLimits: Limits = { reads: 600, lookups: 60, commands: 90, contact: 10, webhooks: 1200 };

const windowSeconds = 60;

/** Of mail to strangers an hour takes no more than this many minutes' worth: nobody's mailbox is to be filled through our form. */
const contactMinutesAnHour = 3;

/** Counts in memory, so each process has its own count. @throws Problem 429 with Retry-After in seconds */
export type Limit = (request: Request, name: LimitName) => Promise<void>;

export function createLimit(limits: Limits): Limit {
  const limiter = (name: LimitName) =>
    new RateLimiterMemory({ keyPrefix: name, points: limits[name], duration: windowSeconds });
  const limiters: Record<LimitName, RateLimiterMemory> = {
    reads: limiter("reads"),
    lookups: limiter("lookups"),
    commands: limiter("commands"),
    contact: limiter("contact"),
    webhooks: limiter("webhooks"),
  };
  const contactInHour = new RateLimiterMemory({
    keyPrefix: "contact-hour",
    points: limits.contact * contactMinutesAnHour,
    duration: 3600,
  });
  return async (request, name) => {
    const address = addressOf(request.ip ?? "");
    try {
      await limiters[name].consume(address);
      if (name === "contact") await contactInHour.consume(address);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
      throw new Problem(429, "too-many-requests", "Too many requests: please wait a moment.", {
        headers: { "Retry-After": String(seconds) },
      });
    }
  };
}

// A household or a server owns a whole /64 of IPv6, so single addresses would be no limit.
export function addressOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1]) return mapped[1];
  if (!isIPv6(ip)) return ip;
  const [head = "", tail] = ip.split("::");
  const groups = head.split(":").filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").filter(Boolean).length;
  const full = [...groups, ...Array<string>(missing).fill("0"), ...(tail ?? "").split(":").filter(Boolean)];
  return full.slice(0, 4).join(":");
}
