import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Derived } from "../../services/policies/work/work-table.ts";
import { MemoryWorkTable } from "./memory-work-table.ts";
import { describeWorkTable, dueIn } from "./work-table-contract.ts";

describeWorkTable("in memory", async () => {
  let nowMs = 0;
  const rows = new MemoryWorkTable(() => nowMs);
  const pass = (seconds: number) => {
    nowMs += seconds * 1000;
  };
  return { table: rows.tableOf(), begin: async () => rows.begin(), pass };
});

/** A worker owns two subjects. One batch has written the second one, and another is about to write the first. */
async function twoBatches() {
  const rows = new MemoryWorkTable(Date.now);
  const table = rows.tableOf();
  const [first, second] = [dueIn(0), dueIn(0)] as const;
  const at = new Date(Date.parse(first.tasks[0]?.dueAt ?? ""));
  const deriving = (...derived: Derived[]) => ({
    ...{ derived, now: at, rules: 1, takes: new Set<string>(), letsGo: new Set<string>() },
  });
  const take = (worker: string) => table.take({ worker, at, busy: [], crowded: [], most: 10 });
  const [worker, heir] = [randomUUID(), randomUUID()];
  await table.enter(worker);
  await table.enter(heir);
  const before = rows.begin();
  await before.derive(deriving(first, second));
  before.commit();
  await take(worker);
  const awaited = Promise.withResolvers<void>();
  const ofFirst = rows.begin(() => {
    awaited.resolve();
    return false;
  });
  const ofSecond = rows.begin();
  await ofSecond.derive(deriving(second));
  /** Writes the first subject while `work` waits for the second one, and commits once `work` waits for this or is over. */
  const overtake = async (work: Promise<unknown>) => {
    await ofFirst.derive(deriving(first));
    ofSecond.commit();
    await Promise.race([work, awaited.promise]);
    ofFirst.commit();
    await work;
  };
  return { rows, table, worker, heir, first, second, deriving, take, overtake };
}

describe("locks of the table of work in memory", () => {
  it("hold up a removal that saw the row free before it waited for another", async () => {
    const { table, worker, heir, take, overtake } = await twoBatches();
    await overtake(table.remove(worker));
    expect(await take(heir)).toHaveLength(2);
  });

  it("hold up a batch that saw the row free before it waited for another", async () => {
    const { rows, table, worker, first, second, deriving, overtake } = await twoBatches();
    const ofBoth = rows.begin();
    await overtake(ofBoth.derive(deriving(first, second)));
    ofBoth.commit();
    for (const { subjectId } of [first, second])
      expect(await table.claimOf(worker, subjectId)).toMatchObject({ changes: "2" });
  });
});
