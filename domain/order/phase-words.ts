import type { Phase } from "./phases.ts";

/** Phases whose names are more than one word. */
const words: Readonly<Partial<Record<Phase, string>>> = { AwaitingPayment: "Awaiting payment" };

/** A phase as staff read it. A page may be older than the server: what it does not know yet is shown as it is named. */
export const phaseWords = (phase: string): string =>
  Object.entries(words).find(([name]) => name === phase)?.[1] ?? phase;
