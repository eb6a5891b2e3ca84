import { rm } from "node:fs/promises";
import { median } from "../../figures.ts";
import {
  append,
  grow,
  type Measures,
  signed,
  type TreeCost,
  treeBytes,
  verifyEvents,
} from "./log-with-tree.ts";
import { fillTree, measureProofs, type ProofFigures } from "./prove.ts";

export type Sizes = {
  /** Appended, put in the tree and audited. */
  readonly events: number;
  /** Invented, for proofs. */
  readonly leaves: number;
  /** Audits of each kind, and proofs in tens. */
  readonly rounds: number;
  readonly seed: number;
};

export type Figures = {
  readonly sizes: Sizes;
  /** CPU of an append of one event, ms. */
  readonly appendMs: number;
  readonly tree: readonly TreeCost[];
  /** CPU of verifying an event against its stream, which is part of its leaf's, ms. */
  readonly verifyMs: number;
  readonly bytesPerEvent: number;
  /** Seconds of the whole audit, median, with so many parts at once. */
  readonly whole: readonly { readonly atOnce: number; readonly seconds: number }[];
  readonly newEvents: { readonly events: number; readonly seconds: number };
  readonly proofs: ProofFigures;
};

/** The tree may cost at most this share of an append, in the batches of a log under load. */
export const mostShare = 0.05;
export const judgedBatch = 100;

const warmUpEvents = 2_000;

/** @throws OperatorError when an audit or a proof does not say what it must */
export async function measure(
  measures: Measures,
  sizes: Sizes,
  say: (words: string) => void = () => undefined,
): Promise<Figures> {
  const { events, leaves, rounds, seed } = sizes;
  // A process runs for weeks: statements are prepared, and code is compiled, before anything is measured.
  await append(measures, warmUpEvents, "first");
  await grow(measures, [{ batch: judgedBatch, events: warmUpEvents }]);
  say(`appending ${events} events`);
  const appendMs = await append(measures, events, "measured");
  const few = Math.min(2_000, Math.floor(events / 10));
  say("growing the tree");
  const tree = await grow(measures, [
    { batch: 1, events: few },
    { batch: 10, events: few },
    { batch: judgedBatch, events: few * 4 },
    { batch: 500, events },
  ]);
  const verifyMs = await verifyEvents(measures, events);
  const audits = await signed(measures);
  try {
    await audits.sign();
    const bytesPerEvent = (await treeBytes(measures.pool)) / (events + warmUpEvents);
    const seconds = new Map<number, number[]>();
    for (let round = 0; round < rounds; round++) {
      for (const atOnce of [1, 2, 4]) {
        say(`auditing, round ${round + 1}, ${atOnce} at once`);
        seconds.set(atOnce, [...(seconds.get(atOnce) ?? []), await audits.audit("whole", atOnce)]);
      }
    }
    const whole = [...seconds].map(([atOnce, each]) => ({ atOnce, seconds: median(each) }));
    const newer = Math.max(64, Math.floor(events / 100));
    await append(measures, newer, "newer");
    await grow(measures, [{ batch: 500, events: newer }]);
    await audits.sign();
    const newEvents = { events: newer, seconds: await audits.audit("new-events", 1) };
    await fillTree(measures.pool, leaves, (size) => say(`${size} invented leaves`));
    const proofs = await measureProofs(measures.pool, { leaves, rounds: rounds * 50, seed });
    return { sizes, appendMs, tree, verifyMs, bytesPerEvent, whole, newEvents, proofs };
  } finally {
    await rm(audits.folder, { recursive: true });
  }
}

const shareOf = ({ appendMs }: Pick<Figures, "appendMs">, { cpuMs }: TreeCost): number => cpuMs / appendMs;

/** Whether the tree costs too much; undefined when no batch of the size was measured. */
export function isTooDear(figures: Pick<Figures, "appendMs" | "tree">): boolean | undefined {
  const judged = figures.tree.find(({ batch }) => batch === judgedBatch);
  return judged && shareOf(figures, judged) > mostShare;
}

export function reportLines(figures: Figures): string[] {
  const { sizes, appendMs, tree, verifyMs, bytesPerEvent, whole, newEvents, proofs } = figures;
  const ms = (value: number) => `${value.toFixed(3)} ms`;
  return [
    `CPU of an append of one event    ${ms(appendMs)}`,
    ...tree.map(
      (cost) =>
        `CPU of its leaf, batches of ${String(cost.batch).padEnd(5)}${ms(cost.cpuMs)}, ${(100 * shareOf(figures, cost)).toFixed(1)} % of the append (${cost.events} events)`,
    ),
    `  of it, verifying the event     ${ms(verifyMs)}, ${((100 * verifyMs) / appendMs).toFixed(1)} % of the append`,
    `Bytes of the tree per event      ${bytesPerEvent.toFixed(1)}`,
    ...whole.map(
      ({ atOnce, seconds }) =>
        `Whole audit, ${atOnce} at once           ${((seconds * 100_000) / (sizes.events + warmUpEvents)).toFixed(2)} s per 100,000 events`,
    ),
    `Audit of ${newEvents.events} new events        ${newEvents.seconds.toFixed(3)} s`,
    `At ${sizes.leaves} leaves, medians:`,
    `  inclusion, ${proofs.hashes} hashes         prove ${ms(proofs.proveMs)}, verify ${ms(proofs.verifyMs)}`,
    `  consistency, ${proofs.consistencyHashes} hashes       prove ${ms(proofs.proveConsistencyMs)}, verify ${ms(proofs.verifyConsistencyMs)}`,
  ];
}
