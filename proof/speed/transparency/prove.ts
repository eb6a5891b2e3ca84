import { inTransaction, type Pool } from "../../../infra/postgres/pool.ts";
import { OperatorError } from "../../../infra/process/operator-error.ts";
import type { Bytes } from "../../../infra/transparency/formats/bytes.ts";
import { isConsistent, isIncluded } from "../../../infra/transparency/formats/verify-proofs.ts";
import { leafHash, leafHashes } from "../../../infra/transparency/tree-hashes.ts";
import { proveConsistency, proveInclusion, rootAt } from "../../../infra/transparency/tree-proofs.ts";
import { addLeaves, forgetTree, lockTree, readTilesFrom } from "../../../infra/transparency/tree-records.ts";
import { seededBelow } from "../../../testing/infra/transparency-fixture.ts";
import { median } from "../../figures.ts";

const leavesAtOnce = 65_536;

const leafAt = (index: number): Bytes => leafHash(`leaf ${index}`);

/** Fills the tree with invented leaves, without events. */
export async function fillTree(
  pool: Pool,
  leaves: number,
  onProgress: (leaves: number) => void,
): Promise<void> {
  await inTransaction(pool, forgetTree);
  for (let size = 0; size < leaves; ) {
    const some = Array.from(
      { length: Math.min(leavesAtOnce, leaves - size) },
      (_, at) => `leaf ${size + at}`,
    );
    size += some.length;
    const reached = { position: `invented ${size}`, eventId: "" };
    await inTransaction(pool, async (client) =>
      addLeaves(client, await lockTree(client), leafHashes(some), reached),
    );
    onProgress(size);
  }
}

/** Medians in ms over random leaves and older trees. */
export type ProofFigures = Readonly<
  Record<
    "hashes" | "proveMs" | "verifyMs" | "consistencyHashes" | "proveConsistencyMs" | "verifyConsistencyMs",
    number
  >
>;

/** @throws OperatorError when a proof does not verify, or a false one does */
export async function measureProofs(
  pool: Pool,
  { leaves, rounds, seed }: { leaves: number; rounds: number; seed: number },
): Promise<ProofFigures> {
  const tiles = readTilesFrom(pool);
  const below = seededBelow(`proof:transparency ${seed}`);
  const tree = { size: leaves, root: await rootAt(leaves, tiles) };
  const taken: Record<keyof ProofFigures, number[]> = {
    ...{ hashes: [], proveMs: [], verifyMs: [] },
    ...{ consistencyHashes: [], proveConsistencyMs: [], verifyConsistencyMs: [] },
  };
  for (let round = 0; round < rounds; round++) {
    const index = below(leaves);
    const [proof, proveMs] = await timed(() => proveInclusion(index, leaves, tiles));
    const [holds, verifyMs] = await timed(() => isIncluded(leafAt(index), index, proof, tree));
    if (!holds) throw new OperatorError(`Leaf ${index} is not proved.`);
    if (await isIncluded(leafAt(index + 1), index, proof, tree))
      throw new OperatorError("The proof of another leaf was accepted.");
    const size = 1 + below(leaves - 1);
    const older = { size, root: await rootAt(size, tiles) };
    const [consistency, proveConsistencyMs] = await timed(() => proveConsistency(size, leaves, tiles));
    const [extends_, verifyConsistencyMs] = await timed(() => isConsistent(older, tree, consistency));
    if (!extends_) throw new OperatorError(`The tree of ${size} leaves is not proved to be extended.`);
    if (await isConsistent({ ...older, root: leafAt(0) }, tree, consistency))
      throw new OperatorError("Another older tree was accepted.");
    const figures = {
      ...{ hashes: proof.length, proveMs, verifyMs },
      ...{ consistencyHashes: consistency.length, proveConsistencyMs, verifyConsistencyMs },
    };
    for (const name of names) taken[name].push(figures[name]);
  }
  return {
    hashes: median(taken.hashes),
    proveMs: median(taken.proveMs),
    verifyMs: median(taken.verifyMs),
    consistencyHashes: median(taken.consistencyHashes),
    proveConsistencyMs: median(taken.proveConsistencyMs),
    verifyConsistencyMs: median(taken.verifyConsistencyMs),
  };
}

const names = [
  "hashes",
  "proveMs",
  "verifyMs",
  "consistencyHashes",
  "proveConsistencyMs",
  "verifyConsistencyMs",
] as const;

async function timed<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
  const started = performance.now();
  return [await work(), performance.now() - started];
}
