import { randomUUID } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAuditProgress } from "../../../infra/audit/audit-progress.ts";
import { treeInDatabase } from "../../../infra/audit/audited-tree.ts";
import { runAudit } from "../../../infra/audit/run-audit.ts";
import { beginning, type EventStore } from "../../../infra/event-store/event-store.ts";
import { createLogVerifier } from "../../../infra/event-store/log-verifier.ts";
import type { Work } from "../../../infra/following/parked-retry.ts";
import { createSubscription } from "../../../infra/following/subscription/subscription.ts";
import { inDerivedTransaction, type Pool } from "../../../infra/postgres/pool.ts";
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
import type { CpuClock } from "./cpu-clock.ts";

export type Measures = {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly connectionString: string;
  /** Leaves from one mark to the next; the product's when undefined. */
  readonly marksEvery: number | undefined;
  readonly cpuMsOf: CpuClock;
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
  const spent = await measures.cpuMsOf(async () => {
    await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  });
  await driver.close();
  return spent / events;
}

export type FollowedTree = {
  /**
   * Appends events, with as many callers in this process as `append` has, and returns the sizes of the batches that
   * come to the tree's follower meanwhile. No other follower is there: those would make them larger.
   */
  batchesUnderLoad(events: number): Promise<Batches>;
  /** Does with a batch what the follower does, without reading the events and without a transaction of its own. */
  readonly work: Work;
};

/** One follower for all measurements, as in a process that runs for weeks: each has to be compiled. */
export function followTree(measures: Measures): FollowedTree {
  const { pool, store, marksEvery } = measures;
  const log = createLog("silent");
  const sizes: number[] = [];
  const works: Work[] = [];
  const subscription = createSubscription({
    ...{ name: "measured", store, pool, newId: randomUUID, log },
    watch: {
      made: () => undefined,
      batch: (_key, { length }, work) => {
        sizes.push(length);
        return work();
      },
    },
  });
  const follower = createTreeFollower({
    ...{ pool, store, newId: randomUUID, log, detailsOf: () => undefined },
    ...(marksEvery !== undefined && { marksEvery }),
    subscription: {
      add: (subscribing) => {
        works.push(subscribing.process);
        return subscription.add(subscribing);
      },
    },
  });
  const [work] = works;
  if (!work) throw new Error("The tree's follower takes part in the subscription.");
  return {
    work,
    batchesUnderLoad: async (events) => {
      follower.start();
      try {
        await append(measures, events, "followed");
        if (!(await follower.caughtUpTo(await store.head(), caughtUpWithinMs)))
          throw new OperatorError("The tree did not grow.");
      } finally {
        await follower.stop();
      }
      return sizes;
    },
  };
}

const caughtUpWithinMs = 60_000;

/** Events in a batch; of sizes that are repeated, where there are several. */
export type Batches = readonly number[];

export type TreeCost = { readonly batches: Batches; readonly events: number; readonly cpuMs: number };

const heldAtOnce = 5_000;

/** Grows the tree by so many events, at most to the log's end. */
export async function grow(
  measures: Measures,
  work: Work,
  plan: readonly { readonly batches: Batches; readonly events: number }[],
): Promise<TreeCost[]> {
  const costs: TreeCost[] = [];
  for (const { batches, events } of plan) {
    let [spent, done, nth] = [0, 0, 0];
    for (let went = -1; went !== 0 && done < events; done += went) {
      const sizes: number[] = [];
      let wanted = 0;
      for (; wanted < Math.min(heldAtOnce, events - done); nth++) {
        const size = batches[nth % batches.length] ?? events;
        sizes.push(size);
        wanted += size;
      }
      const { position } = await readReach(measures.pool);
      const some = await measures.store.readAll(position || beginning, Math.min(wanted, events - done));
      went = some.length;
      // The transaction and the read are shared with other followers: only what the tree adds is counted.
      await inDerivedTransaction(measures.pool, async (client) => {
        spent += await measures.cpuMsOf(async () => {
          let from = 0;
          for (const size of sizes) {
            if (from < some.length) await work(client, some.slice(from, from + size), () => undefined);
            from += size;
          }
        });
      });
    }
    if (done > 0) costs.push({ batches, events: done, cpuMs: spent / done });
  }
  return costs;
}

/** Verifies the log's first events whole, and returns the CPU of one in ms. */
export async function verifyEvents({ store, cpuMsOf }: Measures, events: number): Promise<number> {
  const verifier = createLogVerifier(store);
  let [spent, done, after] = [0, 0, beginning];
  while (done < events) {
    const some = await store.readAll(after, Math.min(500, events - done));
    spent += await cpuMsOf(async () => {
      for (const event of some) await verifier.hashOf(event);
    });
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
