import { setTimeout as delay } from "node:timers/promises";

/** Waits before the nth try again, from 1. */
export type Backoff = (attempt: number) => Promise<void>;

const firstMs = 4;
const mostMs = 200;

/** A random wait below a bound that doubles, so that rivals for one stream step out of each other's way. `random` is in [0, 1). */
export function createBackoff(random: () => number, pause: (ms: number) => Promise<void> = delay): Backoff {
  return (attempt) => pause(random() * Math.min(firstMs * 2 ** attempt, mostMs));
}
