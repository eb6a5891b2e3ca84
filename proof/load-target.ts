import { platform } from "node:os";
import { OperatorFault } from "../infra/process/operator-error.ts";
import { startProduct } from "../web/e2e/product.ts";

/** What load is put on. */
export type LoadTarget = {
  /** Without a trailing slash. */
  readonly url: string;
  /** The address that the nth customer comes from. */
  readonly from: (nth: number) => CustomerAddress;
  readonly dispose: () => Promise<void>;
};

/** Requests are limited by address, and a thousand customers have a thousand: either really, or as a proxy would say. */
export type CustomerAddress = { readonly localAddress?: string; readonly forwardedFor?: string };

/** All of 127.0.0.0/8 is this machine; elsewhere only 127.0.0.1 is, until somebody adds others. */
const hasManyAddresses = platform() === "linux";
const loopbacks: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Where load goes: the address given, or a product of its own on throw-away folders.
 * @throws OperatorFault when the address is no machine of one's own
 */
export async function findTarget(url: string | undefined, isOwn: boolean): Promise<LoadTarget> {
  if (url !== undefined) return givenTarget(url, isOwn);
  const product = await startProduct({
    // As the product is by itself: the driver of the browser tests has shorter ones.
    PURGE_AFTER_SECONDS: "5",
    SWEEP_EVERY_SECONDS: "15",
    SUBMISSION_REQUESTED_WITHIN_SECONDS: "60",
    LOG_LEVEL: "error",
    SKIP_WEB_BUILD: "0",
    ...(hasManyAddresses ? {} : { TRUST_PROXY: "1" }),
  });
  const target = givenTarget(product.url, false);
  return { ...target, dispose: () => product.dispose().then(() => undefined) };
}

function givenTarget(given: string, isOwn: boolean): LoadTarget {
  const url = parsed(given);
  const isLoopback = loopbacks.has(url.hostname);
  if (!isLoopback && !isOwn)
    throw new OperatorFault(
      `${url.host} is not this machine: load is put on machines of one's own only. Add --i-own-this-host if it is yours.`,
    );
  // An address of ours that is not 127.0.0.1 reaches no server on ::1.
  if (isLoopback) url.hostname = "127.0.0.1";
  const from = isLoopback && hasManyAddresses ? fromLoopback : fromProxy;
  return { url: url.origin, from, dispose: async () => undefined };
}

function parsed(given: string): URL {
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return new URL(given);
  throw new OperatorFault(`--url is "${given}", which is no address: give one like http://localhost:3000.`);
}

/** Which of 65,536 addresses: two bytes. */
const bytesOf = (nth: number): string => `${(nth >> 8) & 255}.${nth & 255}`;

/** Each customer really comes from an address of its own, and nothing has to be believed. */
const fromLoopback = (nth: number): CustomerAddress => ({ localAddress: `127.18.${bytesOf(nth)}` });

/** 198.18.0.0/15 is set aside for benchmarks (RFC 2544). Only a target with TRUST_PROXY=1, and no proxy in between, believes it. */
const fromProxy = (nth: number): CustomerAddress => ({ forwardedFor: `198.18.${bytesOf(nth)}` });
