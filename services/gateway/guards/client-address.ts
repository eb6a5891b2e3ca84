import { isIPv6 } from "node:net";

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
