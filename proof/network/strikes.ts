import { setTimeout as delay } from "node:timers/promises";
import { pick } from "../../services/operations/seed/seeded-random.ts";
import type { SourceFault } from "../faults/planted.ts";
import { type Fault, faultKinds } from "./connection.ts";
import type { Link } from "./link.ts";

export type Strikes = {
  /** Strikes a connection that is open, or that of the next request. @returns whether there was one in time */
  readonly strike: () => Promise<boolean>;
  /** How often, by kind of fault and by link. */
  readonly byKind: Readonly<Record<string, number>>;
  readonly byLink: Readonly<Record<string, number>>;
};

type StrikesOptions = {
  readonly links: readonly Link[];
  readonly random: () => number;
  readonly withinMs: number;
  /** Restricts kinds, links and requests to those that reveal it. */
  readonly plant: SourceFault | undefined;
};

const requestWithinMs = 2_000;
const lookEveryMs = 20;
const any = /^/;

/** In the bytes by which something is done for good: the reply that is dropped is the one to these. */
const commits: Readonly<Record<string, RegExp>> = {
  Postgres: /append-events|\bcommit\b/,
  "the mail server": /\r\n\.\r\n/,
};

/** Each fault is of a random kind on a random link that is in use. */
export function planStrikes({ links, random, withinMs, plant }: StrikesOptions): Strikes {
  const only = plant?.network;
  const kinds = only ? [only.kind] : faultKinds;
  const allowed = links.filter(({ name }) => only?.links.test(name) ?? true);
  const byKind: Record<string, number> = Object.fromEntries(kinds.map((kind) => [kind, 0]));
  const byLink: Record<string, number> = {};

  async function tryOn(link: Link): Promise<boolean> {
    const kind = pick(random, kinds);
    const fault: Fault = { kind, lost: random() < 0.5 ? "requests" : "replies" };
    const isAtOpen = random() < 0.5 && kind !== "reply dropped" && !only;
    const usual = kind === "reply dropped" ? commits[link.to] : undefined;
    const isStruck = isAtOpen
      ? link.strikeOpen(fault)
      : await link.strikeNext(fault, only?.requests ?? usual ?? any, requestWithinMs);
    if (!isStruck) return false;
    byKind[kind] = (byKind[kind] ?? 0) + 1;
    byLink[link.name] = (byLink[link.name] ?? 0) + 1;
    return true;
  }

  async function strike(): Promise<boolean> {
    const deadline = performance.now() + withinMs;
    while (performance.now() < deadline) {
      const used = allowed.filter(({ isUsed }) => isUsed);
      if (used.length > 0 && (await tryOn(pick(random, used)))) return true;
      await delay(lookEveryMs);
    }
    return false;
  }

  return { strike, byKind, byLink };
}
