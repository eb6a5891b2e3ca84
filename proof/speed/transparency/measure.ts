import { rm } from "node:fs/promises";
import { readReach } from "../../../infra/transparency/tree-records.ts";
import { median } from "../../figures.ts";
import {
  append,
  followTree,
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
  /** Of appends and their leaves, of audits of each kind, and of proofs in tens. */
  readonly rounds: number;
  readonly seed: number;
};

export type Figures = {
  readonly sizes: Sizes;
  /** Events in the log when it is audited. */
  readonly appended: number;
  /** CPU of an append of one event, and of its leaf in the batches that come under that load, in each round. */
  readonly rounds: readonly { readonly appendMs: number; readonly leaf: TreeCost }[];
  /** Leaves in batches of one size each. */
  readonly tree: readonly TreeCost[];
  /** CPU of verifying an event whole, ms: a leaf's only in small batches. */
  readonly verifyMs: number;
  readonly bytesPerEvent: number;
  /** Seconds of the whole audit, median, with so many parts at once. */
  readonly whole: readonly { readonly atOnce: number; readonly seconds: number }[];
  readonly newEvents: { readonly events: number; readonly seconds: number };
  readonly proofs: ProofFigures;
};

/** The tree may cost at most this share of an append, in the batches that the same appends come to its follower in. */
export const mostShare = 0.05;

/** @throws OperatorError when an audit or a proof does not say what it must */
export async function measure(
  measures: Measures,
  sizes: Sizes,
  say: (words: string) => void = () => undefined,
): Promise<Figures> {
  const { events, leaves, seed } = sizes;
  // Also the warm-up: a process runs for weeks, with its statements prepared and its code compiled.
  say("following appends");
  const { work, batchesUnderLoad } = followTree(measures);
  const asTheyCome = await batchesUnderLoad(events);
  const rounds: { appendMs: number; leaf: TreeCost }[] = [];
  for (let round = 0; round < sizes.rounds; round++) {
    say(`appending ${events} events, and growing the tree, round ${round + 1}`);
    const appendMs = await append(measures, events, `round${round}`);
    const [leaf] = await grow(measures, work, [{ batches: asTheyCome, events }]);
    if (leaf) rounds.push({ appendMs, leaf });
  }
  await append(measures, events, "sizes");
  const few = Math.min(2_000, Math.floor(events / 10));
  const tree = await grow(measures, work, [
    { batches: [1], events: few },
    { batches: [10], events: few },
    { batches: [100], events: few * 4 },
    { batches: [500], events },
  ]);
  const verifyMs = await verifyEvents(measures, events);
  const audits = await signed(measures);
  try {
    await audits.sign();
    const appended = (await readReach(measures.pool)).size;
    const bytesPerEvent = (await treeBytes(measures.pool)) / appended;
    const seconds = new Map<number, number[]>();
    for (let round = 0; round < sizes.rounds; round++) {
      for (const atOnce of [1, 2, 4]) {
        say(`auditing, round ${round + 1}, ${atOnce} at once`);
        seconds.set(atOnce, [...(seconds.get(atOnce) ?? []), await audits.audit("whole", atOnce)]);
      }
    }
    const whole = [...seconds].map(([atOnce, each]) => ({ atOnce, seconds: median(each) }));
    const newer = Math.max(64, Math.floor(events / 100));
    await append(measures, newer, "newer");
    await grow(measures, work, [{ batches: [500], events: newer }]);
    await audits.sign();
    const newEvents = { events: newer, seconds: await audits.audit("new-events", 1) };
    await fillTree(measures.pool, leaves, (size) => say(`${size} invented leaves`));
    const proofs = await measureProofs(measures.pool, { leaves, rounds: sizes.rounds * 50, seed });
    return { sizes, appended, rounds, tree, verifyMs, bytesPerEvent, whole, newEvents, proofs };
  } finally {
    await rm(audits.folder, { recursive: true });
  }
}

type Rounds = Pick<Figures, "rounds">;

const medianOf = (each: readonly number[]): number => median([...each]);

const medianAppendMs = ({ rounds }: Rounds): number => medianOf(rounds.map(({ appendMs }) => appendMs));

/** Of what was measured in one round: both suffer from the same other work on the machine. */
const medianShare = ({ rounds }: Rounds): number =>
  medianOf(rounds.map(({ appendMs, leaf }) => leaf.cpuMs / appendMs));

/** Whether the tree costs too much, also when it could not be measured. */
export const isTooDear = (figures: Rounds): boolean => !(medianShare(figures) <= mostShare);

export function reportLines(figures: Figures): string[] {
  const { appended, rounds, tree, verifyMs, bytesPerEvent, whole, newEvents, proofs, sizes } = figures;
  const ms = (value: number) => `${value.toFixed(value < 0.1 ? 4 : 3)} ms`;
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const appendMs = medianAppendMs(figures);
  const asTheyCome = rounds[0]?.leaf.batches ?? [];
  return [
    `CPU of an append of one event    ${ms(appendMs)}`,
    `CPU of its leaf, as they come    ${ms(medianOf(rounds.map(({ leaf }) => leaf.cpuMs)))}, ${percent(medianShare(figures))} of the append (${rounds.map(({ leaf, appendMs: of }) => percent(leaf.cpuMs / of)).join(", ")}), ${asTheyCome.length} batches, median ${medianOf(asTheyCome)}`,
    ...tree.map(
      ({ batches, cpuMs, events }) =>
        `CPU of its leaf, batches of ${String(batches[0]).padEnd(5)}${ms(cpuMs)}, ${percent(cpuMs / appendMs)} of the append (${events} events)`,
    ),
    `CPU of verifying an event        ${ms(verifyMs)}, ${percent(verifyMs / appendMs)} of the append`,
    `Bytes of the tree per event      ${bytesPerEvent.toFixed(1)}`,
    ...whole.map(
      ({ atOnce, seconds }) =>
        `Whole audit, ${atOnce} at once           ${((seconds * 100_000) / appended).toFixed(2)} s per 100,000 events`,
    ),
    `Audit of ${newEvents.events} new events        ${newEvents.seconds.toFixed(3)} s`,
    `At ${sizes.leaves} leaves, medians:`,
    `  inclusion, ${proofs.hashes} hashes         prove ${ms(proofs.proveMs)}, verify ${ms(proofs.verifyMs)}`,
    `  consistency, ${proofs.consistencyHashes} hashes       prove ${ms(proofs.proveConsistencyMs)}, verify ${ms(proofs.verifyConsistencyMs)}`,
  ];
}
