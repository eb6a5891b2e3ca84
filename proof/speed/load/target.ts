import { platform } from "node:os";
import { WrongCommand } from "../../../infra/process/operator-error.ts";
import { startProduct } from "../../../testing/system/product-process.ts";

export type LoadTarget = {
  /** Without a trailing slash. */
  readonly url: string;
  /** The address of the nth customer. */
  readonly from: (nth: number) => CustomerAddress;
  readonly dispose: () => Promise<void>;
};

/** Requests are limited by address, and a thousand customers have a thousand: real ones, or as a proxy would report. */
export type CustomerAddress = { readonly localAddress?: string; readonly forwardedFor?: string };

/** On Linux all of 127.0.0.0/8 is this machine; elsewhere only 127.0.0.1 is, unless others are added. */
export const hasManyAddresses = platform() === "linux";
const loopbacks: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * The target of the load: the given address, or a product started on temporary folders.
 * @throws WrongCommand when the address is not the operator's own machine
 */
export async function findTarget(url: string | undefined, isOwn: boolean): Promise<LoadTarget> {
  if (url !== undefined) return givenTarget(url, isOwn);
  const product = await startProduct({
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
    throw new WrongCommand(
      `${url.host} is not this machine: run load only against your own machines. Add --i-own-this-host if it is yours.`,
    );
  // A loopback address other than 127.0.0.1 does not reach a server on ::1.
  if (isLoopback) url.hostname = "127.0.0.1";
  const from = isLoopback && hasManyAddresses ? fromLoopback : fromProxy;
  return { url: url.origin, from, dispose: async () => undefined };
}

function parsed(given: string): URL {
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return new URL(given);
  throw new WrongCommand(
    `--url is "${given}", which is not an address: give one like http://localhost:3000.`,
  );
}

/** Two bytes: one of 65,536 addresses. */
const bytesOf = (nth: number): string => `${(nth >> 8) & 255}.${nth & 255}`;

/** Each customer has a real address, so nothing has to be trusted. */
const fromLoopback = (nth: number): CustomerAddress => ({ localAddress: `127.18.${bytesOf(nth)}` });

/**
 * 198.18.0.0/15 is reserved for benchmarks (RFC 2544). Only a target with TRUST_PROXY=1, without a proxy in between,
 * accepts it.
 */
const fromProxy = (nth: number): CustomerAddress => ({ forwardedFor: `198.18.${bytesOf(nth)}` });
