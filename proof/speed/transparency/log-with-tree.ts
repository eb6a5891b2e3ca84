import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAuditProgress } from "../../../infra/audit/audit-progress.ts";
import { treeInDatabase } from "../../../infra/audit/audited-tree.ts";
import { runAudit } from "../../../infra/audit/run-audit.ts";
import { beginning, type EventStore } from "../../../infra/event-store/event-store.ts";
import { createLogVerifier } from "../../../infra/event-store/log-verifier.ts";
import type { Follower } from "../../../infra/following/follower.ts";
import type { Work } from "../../../infra/following/parked-retry.ts";
import { inTransaction, type Pool } from "../../../infra/postgres/pool.ts";
import { createLog } from "../../../infra/process/log.ts";
import { OperatorError } from "../../../infra/process/operator-error.ts";
import { publishedCheckpoint } from "../../../infra/transparency/checkpoint-file.ts";
import { formatCheckpoint } from "../../../infra/transparency/formats/checkpoint.ts";
import { formatNote, signNote } from "../../../infra/transparency/formats/signed-note.ts";
import { signatureTypes } from "../../../infra/transparency/formats/verifier-key.ts";
import { createTreeFollower } from "../../../infra/transparency/tree-follower.ts";
import { rootAt } from "../../../infra/transparency/tree-proofs.ts";
import { readReach, readTilesFrom } from "../../../infra/transparency/tree-records.ts";
import { signerNamed } from "../../../testing/infra/transparency-fixture.ts";
import { batchedDriver, type Tip } from "../append/drivers.ts";

export type Measures = {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly connectionString: string;
  /** Leaves from one mark to the next; the product's when undefined. */
  readonly marksEvery: number | undefined;
  /** CPU so far of this process and of Postgres, ms. */
  readonly cpuMs: () => number;
};

const callers = 64;
const streamLength = 5;

/** Appends events to new streams, one an append, and returns the CPU of one in ms. */
export async function append(measures: Measures, events: number, name: string): Promise<number> {
  const driver = batchedDriver(measures.connectionString);
  let left = events;
  const call = async (caller: number) => {
    for (let n = 0; left > 0; n++) {
      let tip: Tip = { revision: "none", hash: null };
      for (let length = 0; length < streamLength && left > 0; length++) {
        left -= 1;
        tip = await driver.append(`order-${name}-${caller}-${n}`, tip);
      }
    }
  };
  const before = measures.cpuMs();
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  const spent = measures.cpuMs() - before;
  await driver.close();
  return spent / events;
}

export type TreeCost = { readonly batch: number; readonly events: number; readonly cpuMs: number };

const neverFollows: Follower = {
  start: () => undefined,
  stop: async () => undefined,
  status: () => Promise.reject(new Error("This follower does not follow.")),
  isFollowing: false,
  caughtUpTo: async () => false,
};

/** What the tree's follower does with a batch, without reading the events and without a transaction of its own. */
function workOf({ pool, store, marksEvery }: Measures): Work {
  const captured: Work[] = [];
  createTreeFollower({
    ...{ pool, store, newId: () => "", log: createLog("silent"), detailsOf: () => undefined },
    ...(marksEvery !== undefined && { marksEvery }),
    subscription: {
      add: ({ process }) => {
        captured.push(process);
        return neverFollows;
      },
    },
  });
  const [work] = captured;
  if (!work) throw new Error("The tree's follower takes part in the subscription.");
  return work;
}

/** Grows the tree up to the log's end: some events in small batches, the rest in the last size. */
export async function grow(
  measures: Measures,
  plan: readonly { readonly batch: number; readonly events: number }[],
): Promise<TreeCost[]> {
  const work = workOf(measures);
  const costs: TreeCost[] = [];
  for (const { batch, events } of plan) {
    let [spent, done] = [0, 0];
    for (let went = -1; went !== 0 && done < events; done += went) {
      const { position } = await readReach(measures.pool);
      const some = await measures.store.readAll(position || beginning, Math.min(5_000, events - done));
      went = some.length;
      // The transaction and the read are shared with other followers: only what the tree adds is counted.
      await inTransaction(measures.pool, async (client) => {
        const before = measures.cpuMs();
        for (let from = 0; from < some.length; from += batch)
          await work(client, some.slice(from, from + batch));
        spent += measures.cpuMs() - before;
      });
    }
    if (done > 0) costs.push({ batch, events: done, cpuMs: spent / done });
  }
  return costs;
}

/** Verifies the log's first events as the tree's follower does, without leaves, and returns the CPU of one in ms. */
export async function verifyEvents({ store, cpuMs }: Measures, events: number): Promise<number> {
  const verifier = createLogVerifier(store);
  let [spent, done, after] = [0, 0, beginning];
  while (done < events) {
    const some = await store.readAll(after, Math.min(500, events - done));
    const before = cpuMs();
    for (const event of some) await verifier.hashOf(event);
    spent += cpuMs() - before;
    done += some.length;
    after = some.at(-1)?.position ?? after;
  }
  return spent / done;
}

/** Signs the tree as it is and returns what audits compare the log with. */
export async function signed({ pool, store }: Measures) {
  const signer = await signerNamed("proof.example/transparency", signatureTypes.log);
  const folder = await mkdtemp(join(tmpdir(), "certificates-audit-"));
  let note = "";
  const tree = treeInDatabase(
    pool,
    { read: async () => (note === "" ? undefined : publishedCheckpoint(note)) },
    { keysOf: async () => [signer.key], detailsOf: () => undefined },
  );
  return {
    folder,
    sign: async () => {
      const { size } = await readReach(pool);
      const root = await rootAt(size, readTilesFrom(pool));
      const text = formatCheckpoint({ origin: signer.key.name, size, root });
      note = formatNote({ text, signatures: [await signNote(text, signer)] });
    },
    /** Audits, and returns its seconds. @throws OperatorError when the log is not found intact */
    audit: async (kind: "whole" | "new-events", atOnce: number): Promise<number> => {
      const started = performance.now();
      const { problem } = await runAudit({
        ...{ store, tree, kind, atOnce, afresh: true, now: () => new Date() },
        book: { read: async () => [] },
        progress: openAuditProgress(folder),
      });
      if (problem) throw new OperatorError(`The audit found: ${problem.words}`);
      return (performance.now() - started) / 1000;
    },
  };
}

/** What the tree takes on disk, indexes included. */
export async function treeBytes(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(
    `select sum(pg_total_relation_size(name)) as bytes from unnest(array['transparency_tiles', 'transparency_tail',
       'transparency_marks', 'transparency_receipts']::regclass[]) as name`,
  );
  return Number(rows[0]?.bytes);
}
