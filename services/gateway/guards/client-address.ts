import { isIP, isIPv4 } from "node:net";

/** Shared by all clients without a valid address: an unforeseen notation would otherwise give each a count of its own. */
const unknownAddress = "unknown";

/**
 * What a client is counted by: its address, without the port that some proxies add in `X-Forwarded-For`. A household or
 * a server owns a whole /64 of IPv6, so single addresses would be no limit.
 */
export function addressOf(text: string): string {
  const ip = withoutPort(text);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip;
  if (isIPv4(mapped)) return mapped;
  return isIP(ip) === 6 ? networkOf(ip) : unknownAddress;
}

/** `192.0.2.1:443`, `[2001:db8::1]:443` and `[2001:db8::1]` without port and brackets. */
const withoutPort = (text: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;

/** The first 64 bits of an IPv6 address. */
function networkOf(ip: string): string {
  const [head = "", tail] = ip.split("::");
  const groups = head.split(":").filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").filter(Boolean).length;
  const full = [...groups, ...Array<string>(missing).fill("0"), ...(tail ?? "").split(":").filter(Boolean)];
  return full.slice(0, 4).join(":");
}
