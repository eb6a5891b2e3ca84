import { between, pick } from "../../../services/operations/seed/seeded-random.ts";
import type { Trouble } from "./network.ts";
import type { Machine } from "./virtual-time.ts";

/** What befalls a machine at a moment, whatever it is doing. */
export type Incident = { readonly machine: Machine; readonly atMs: number } & (
  | { readonly what: "stands still" | "is suspended"; readonly forMs: number }
  /** Its wall clock alone. */
  | { readonly what: "is set"; readonly aheadMs: number }
  | { readonly what: "restarts" }
);

/** By how much a wall clock may be wrong. */
export const mostOffMs = 20_000;

type Drawing = {
  readonly random: () => number;
  readonly machines: readonly Machine[];
  readonly fromMs: number;
  readonly untilMs: number;
};

/** At most two outages for all, of our storage or of a provider; and what one worker alone suffers. */
export function drawTroubles(drawing: Drawing): Trouble[] {
  const { random, fromMs, untilMs } = drawing;
  const lasting = (lengthsMs: readonly number[]) => {
    const startMs = between(random, fromMs, untilMs);
    return { fromMs: startMs, untilMs: Math.min(untilMs, startMs + pick(random, lengthsMs)) };
  };
  const outages = times(random, 2).map((): Trouble => {
    const of = pick(random, ["storage", "log", "payments", "gro", "mail"] as const);
    return { of, fate: "refused", ...lasting([1_000, 4_000, 15_000, 90_000]) };
  });
  const ofOne = ofSome(drawing, 3).map((machine): Trouble => {
    const suffered = pick(random, [
      { of: "list", call: "beat", fate: "refused" },
      { of: "list", call: "beat", fate: "answer lost" },
      { of: "list", fate: "slow" },
      { of: "storage", fate: "slow" },
      { of: "list", fate: "refused" },
    ] as const);
    return { ...suffered, machine, ...lasting([5_000, 9_000, 15_000, 60_000]) };
  });
  return [...outages, ...ofOne];
}

/** Of a machine's own: it stops, sleeps, restarts, or its clock is set. */
export function drawIncidents(drawing: Drawing): Incident[] {
  const { random, fromMs, untilMs } = drawing;
  return ofSome(drawing, 8).map((machine): Incident => {
    const atMs = between(random, fromMs, untilMs);
    const what = pick(random, ["stands still", "is suspended", "is set", "restarts"] as const);
    if (what === "restarts") return { machine, atMs, what };
    if (what === "is set") return { machine, atMs, what, aheadMs: between(random, -mostOffMs, mostOffMs) };
    return { machine, atMs, what, forMs: between(random, 1_000, 60_000) };
  });
}

/** Of the database's clock. */
export function drawSettings({ random, fromMs, untilMs }: Drawing): { atMs: number; aheadMs: number }[] {
  return times(random, random() < 0.5 ? 0 : 6).map(() => ({
    atMs: between(random, fromMs, untilMs),
    aheadMs: between(random, -mostOffMs, mostOffMs),
  }));
}

const times = (random: () => number, most: number): number[] =>
  Array.from({ length: between(random, 0, most) }, (_, n) => n);

/** Every other seed has none. */
const ofSome = ({ random, machines }: Drawing, most: number): Machine[] =>
  random() < 0.5 ? [] : times(random, most).map(() => pick(random, machines));
