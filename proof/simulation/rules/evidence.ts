import type { Share } from "../../../domain/checkout/shares.ts";
import type { Application } from "../../../services/providers/gro/automation.ts";
import type { MemoryVault } from "../../../testing/vault/memory-vault.ts";
import type { Wishes } from "../people/site.ts";
import type { Bank } from "../platform/bank.ts";

/** The promise to customers, and the time that a sweep may take. */
const purgedWithinMs = 180_000;
/** What is due this long and not done will not be done. */
const mostLateMs = 600_000;

/** What is known outside the product at the end, or while it runs. */
export type Evidence = {
  readonly vault: MemoryVault;
  readonly bank: Bank;
  /**
   * Ids in the log. A record that none names was left by a machine that died between sealing and appending: the sweep
   * takes it after an hour, later than any seed lives.
   */
  readonly named: ReadonlySet<string>;
  /** Those that the GRO accepted, by key. */
  readonly applications: ReadonlyMap<string, Application>;
  readonly wishes: Wishes;
  /** What each order is to have of an intent that pays for several. */
  readonly shares: ReadonlyMap<string, readonly Share[]>;
  /** What orders have in the log of each payment, of each dispute, and of each refund by hand. */
  readonly received: ReadonlyMap<string, readonly Share[]>;
  readonly disputed: ReadonlyMap<string, readonly Share[]>;
  readonly refundedByHand: ReadonlyMap<string, readonly Share[]>;
  readonly now: Date;
  /** From then on nothing went wrong. */
  readonly calmFromMs: number;
};

export type Due = { readonly name: string; readonly dueAt: string };

export const dueBy = <Task extends Due>(tasks: readonly Task[], thenMs: number): readonly Task[] =>
  tasks.filter(({ dueAt }) => Date.parse(dueAt) <= thenMs);

export const overdue = (tasks: readonly Due[], { now }: Evidence): string[] =>
  dueBy(tasks, now.getTime() - mostLateMs).map(({ name, dueAt }) => `${name} is due since ${dueAt}`);

/** Until when data must be gone that nothing needs from then on. */
export const goneByMs = (notNeededFrom: string, { calmFromMs }: Evidence): number =>
  Math.max(Date.parse(notNeededFrom), calmFromMs) + purgedWithinMs;

/** Ids of the records of an order, a ticket or a draft that the vault holds and events name. */
export const recordsLeft = async (
  subjectId: string,
  dataClass: "application" | "contact",
  { vault, named }: Evidence,
): Promise<string[]> =>
  (await vault.recordsOf(subjectId, dataClass))
    .map(({ recordId }) => recordId)
    .filter((recordId) => named.has(recordId));
