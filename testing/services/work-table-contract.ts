import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { AnyTask } from "../../services/policies/subject.ts";
import type { Derived, Deriving, WorkTable } from "../../services/policies/work/work-table.ts";
import type { WorkTransaction } from "./memory-work-table.ts";

type Opened = {
  readonly table: WorkTable;
  begin(): Promise<WorkTransaction & { commit(): void | Promise<void> }>;
  /** As if so much time had passed, or, if negative, the database's clock had been set back. */
  pass(seconds: number): void | Promise<void>;
};

const at = new Date("2026-11-23T09:30:00.000Z");
const secondsLater = (seconds: number) => new Date(at.getTime() + seconds * 1000);
const noneOf: ReadonlySet<string> = new Set();

export const dueIn = (seconds: number, subjectId: string = randomUUID()): Derived => ({
  subjectId,
  tasks: [{ kind: "fulfil", name: "fulfil", dueAt: secondsLater(seconds).toISOString() } as AnyTask],
});
const destroyedIn = (seconds: number, attempt = 1): Derived => ({
  subjectId: randomUUID(),
  tasks: [
    {
      kind: "purge",
      name: `purge-draft-${attempt}`,
      attempt,
      dueAt: secondsLater(seconds).toISOString(),
    } as AnyTask,
  ],
});
const mailIn = (seconds: number) => [
  { kind: "mail", name: "mail", dueAt: secondsLater(seconds).toISOString() } as AnyTask,
];
const nothing = ({ subjectId }: Derived): Derived => ({ subjectId, tasks: [] });

/** What the tables of workers and of work promise, in Postgres and in memory. `open` returns empty ones. */
export function describeWorkTable(name: string, open: () => Promise<Opened>): void {
  describe(`the table of work ${name}`, () => {
    async function fresh() {
      const opened = await open();
      const { table, begin, pass } = opened;
      const enter = async () => {
        const worker = randomUUID();
        await table.enter(worker);
        return worker;
      };
      const deriving = (derived: readonly Derived[], more: Partial<Deriving> = {}): Deriving => ({
        ...{ derived, now: at, rules: 1, takes: noneOf, letsGo: noneOf },
        ...more,
      });
      const derive = async (derived: readonly Derived[], more: Partial<Deriving> = {}) => {
        const transaction = await begin();
        const claims = await transaction.derive(deriving(derived, more));
        await transaction.commit();
        return claims;
      };
      type More = { busy?: string[]; crowded?: AnyTask["kind"][]; most?: number; seconds?: number };
      const take = (worker: string, more: More = {}) =>
        table.take({
          worker,
          at: secondsLater(more.seconds ?? 0),
          busy: more.busy ?? [],
          crowded: more.crowded ?? [],
          most: more.most ?? 10,
        });
      const idsOf = (claims: readonly { subjectId: string }[]) =>
        claims.map(({ subjectId }) => subjectId).sort();
      return { table, begin, pass, enter, deriving, derive, take, idsOf };
    }

    it("gives a subject to one worker, once it is due", async () => {
      const { derive, enter, take, idsOf } = await fresh();
      const [now, later] = [dueIn(0), dueIn(5)];
      await derive([now, later]);
      const [one, other] = [await enter(), await enter()];
      expect(idsOf(await take(one))).toEqual([now.subjectId]);
      expect(await take(other)).toEqual([]);
      expect(idsOf(await take(other, { seconds: 5 }))).toEqual([later.subjectId]);
    });

    it("shares what is due among workers that ask at once", async () => {
      const { derive, enter, take, idsOf } = await fresh();
      const due = Array.from({ length: 12 }, () => dueIn(0));
      await derive(due);
      const workers = [await enter(), await enter(), await enter()];
      const taken = await Promise.all(workers.map((worker) => take(worker)));
      expect(idsOf(taken.flat())).toEqual(idsOf(due));
    });

    it("gives those with something to destroy places of their own", async () => {
      const { derive, enter, take, idsOf } = await fresh();
      const urgent = destroyedIn(0);
      await derive([dueIn(-5), dueIn(-4), dueIn(-3), urgent]);
      const taken = await take(await enter(), { most: 2 });
      expect(taken).toHaveLength(3);
      expect(idsOf(taken)).toContain(urgent.subjectId);
    });

    it("leaves what is due for crowded kinds alone, unless it has something to destroy", async () => {
      const { derive, enter, take, idsOf } = await fresh();
      const [crowded, urgent] = [dueIn(0), destroyedIn(0)];
      const both = { ...dueIn(0), tasks: [...dueIn(0).tasks, ...mailIn(0)] };
      const later = { ...dueIn(0), tasks: [...dueIn(0).tasks, ...mailIn(60)] };
      await derive([crowded, urgent, both, later]);
      const worker = await enter();
      expect(idsOf(await take(worker, { crowded: ["fulfil", "purge"] }))).toEqual(idsOf([urgent, both]));
      expect(idsOf(await take(worker, { busy: idsOf([urgent, both]) }))).toEqual(idsOf([crowded, later]));
    });

    it("takes what has failed to be destroyed within ten seconds, whatever is crowded", async () => {
      const { derive, enter, take, idsOf } = await fresh();
      const failed = destroyedIn(300, 2);
      const both = { ...failed, tasks: [...failed.tasks, ...mailIn(0)] };
      await derive([both]);
      const worker = await enter();
      expect(await take(worker, { crowded: ["mail"] })).toEqual([]);
      expect(idsOf(await take(worker, { crowded: ["mail"], seconds: 10 }))).toEqual(idsOf([both]));
    });

    it("tells a worker what it owns, when the next free subject falls due, and how others do", async () => {
      const { table, derive, enter, take } = await fresh();
      const [mine, next] = [dueIn(0), dueIn(7)];
      await derive([mine, next, dueIn(60)]);
      const [one, other] = [await enter(), await enter()];
      await table.beat(other);
      await take(one);
      expect(await table.beat(one)).toMatchObject({
        others: [{ id: other, beats: "1" }],
        nextDueAt: secondsLater(7),
        owned: [{ subjectId: mine.subjectId, changes: "0" }],
      });
    });

    it("moves the workers' clock on with each heartbeat, by what has passed since the last and two seconds at most", async () => {
      const { table, enter, pass } = await fresh();
      const [one, other] = [await enter(), await enter()];
      const silentMs = async () =>
        (await table.beat(one))?.others.find(({ id }) => id === other)?.silentMs ?? Number.NaN;
      const movedAfter = async (seconds: number) => {
        const before = await silentMs();
        await pass(seconds);
        return Math.floor(((await silentMs()) - before) / 1000 + 0.1);
      };
      expect(await movedAfter(0)).toBe(0);
      expect(await movedAfter(1)).toBe(1);
      expect(await movedAfter(60)).toBe(2);
      expect(await movedAfter(-3_600)).toBe(2);
      expect(await movedAfter(1)).toBe(1);
      expect(await silentMs()).toBeGreaterThan(5_000);
      await table.beat(other);
      expect(await silentMs()).toBeLessThan(1_000);
      await pass(60);
      const third = await enter();
      expect((await table.beat(one))?.others.find(({ id }) => id === third)?.silentMs).toBeLessThan(1_000);
    });

    it("frees the subjects of a worker that was removed, and tells it so", async () => {
      const { table, derive, enter, take, idsOf } = await fresh();
      const due = dueIn(0);
      await derive([due]);
      const [dead, heir] = [await enter(), await enter()];
      await take(dead);
      await table.remove(dead);
      expect(await table.beat(dead)).toBeUndefined();
      expect(idsOf(await take(heir))).toEqual([due.subjectId]);
      await expect(take(dead, { seconds: 600 })).resolves.toEqual([]);
    });

    it("frees what a worker owns but what it names", async () => {
      const { table, derive, enter, take, idsOf } = await fresh();
      const [kept, freed, theirs] = [dueIn(0), dueIn(0), dueIn(1)];
      await derive([kept, freed, theirs]);
      const [worker, heir] = [await enter(), await enter()];
      await take(worker);
      await take(heir, { seconds: 1 });
      await table.free(worker, [kept.subjectId]);
      expect(idsOf((await table.beat(worker))?.owned ?? [])).toEqual([kept.subjectId]);
      expect(idsOf(await take(heir, { busy: [theirs.subjectId] }))).toEqual([freed.subjectId]);
    });

    it("frees nothing that a batch is writing", async () => {
      const { table, begin, deriving, derive, enter, take } = await fresh();
      const due = dueIn(0);
      await derive([due]);
      const worker = await enter();
      await take(worker);
      const transaction = await begin();
      await transaction.derive(deriving([due]));
      await table.free(worker, []);
      await transaction.commit();
      expect(await table.claimOf(worker, due.subjectId)).toBeDefined();
      await table.free(worker, []);
      expect(await table.claimOf(worker, due.subjectId)).toBeUndefined();
    });

    it("tells what was owned by one who has not let it go", async () => {
      const { table, derive, enter, take } = await fresh();
      const due = dueIn(0);
      await derive([due]);
      const [first, second] = [await enter(), await enter()];
      const wasOwned = async (worker: string) => (await take(worker)).map((claim) => claim.wasOwned);
      expect(await wasOwned(first)).toEqual([false]);
      expect(await wasOwned(first)).toEqual([true]);
      await table.free(first, []);
      const [freed] = await take(second);
      if (!freed) throw new Error("It was not taken.");
      expect(freed.wasOwned).toBe(true);
      await table.letGo(second, freed, { dueAt: at, retries: {} });
      expect(await wasOwned(first)).toEqual([false]);
      await table.remove(first);
      expect(await wasOwned(second)).toEqual([true]);
      await derive([due], { worker: second, letsGo: new Set([due.subjectId]) });
      expect(await wasOwned(second)).toEqual([false]);
    });

    it("does not remove a worker whose counter has moved", async () => {
      const { table, enter } = await fresh();
      const worker = await enter();
      await table.beat(worker);
      await table.remove(worker, "0");
      expect(await table.beat(worker)).toBeDefined();
      await table.remove(worker, "2");
      expect(await table.beat(worker)).toBeUndefined();
    });

    it("lets go until a time, or for good", async () => {
      const { table, derive, enter, take, idsOf } = await fresh();
      const [again, done] = [dueIn(0), dueIn(0)];
      await derive([again, done]);
      const worker = await enter();
      const claims = await take(worker);
      const claimOf = ({ subjectId }: Derived) => {
        const claim = claims.find((each) => each.subjectId === subjectId);
        if (!claim) throw new Error("It was not taken.");
        return claim;
      };
      const retries = { fulfil: { tries: 3, notBeforeMs: secondsLater(4).getTime() } };
      expect(await table.letGo(worker, claimOf(again), { dueAt: secondsLater(4), retries })).toBe(true);
      expect(await table.letGo(worker, claimOf(done), null)).toBe(true);
      expect(await take(worker)).toEqual([]);
      const [taken, ...others] = await take(worker, { seconds: 4 });
      expect([idsOf(others), taken]).toEqual([
        [],
        expect.objectContaining({ subjectId: again.subjectId, retries }),
      ]);
    });

    it("does not let go of what was derived again since it was seen", async () => {
      const { table, derive, enter, take } = await fresh();
      const due = dueIn(0);
      await derive([due]);
      const worker = await enter();
      const [claim] = await take(worker);
      if (!claim) throw new Error("It was not taken.");
      await derive([due]);
      expect(await table.letGo(worker, claim, null)).toBe(false);
      const current = await table.claimOf(worker, due.subjectId);
      expect(BigInt(current?.changes ?? 0)).toBeGreaterThan(BigInt(claim.changes));
      expect(current && (await table.letGo(worker, current, null))).toBe(true);
    });

    it("takes no late word of an earlier ownership", async () => {
      const { table, derive, enter, take } = await fresh();
      await derive([dueIn(0)]);
      const worker = await enter();
      const [first] = await take(worker);
      if (!first) throw new Error("It was not taken.");
      await table.letGo(worker, first, { dueAt: at, retries: {} });
      await take(worker);
      expect(await table.letGo(worker, first, null)).toBe(false);
    });

    it("gives a worker again what it owns without knowing, under a new fence", async () => {
      const { derive, enter, take } = await fresh();
      const due = dueIn(0);
      await derive([due]);
      const worker = await enter();
      const [first] = await take(worker);
      expect(await take(worker, { busy: [due.subjectId] })).toEqual([]);
      const [second] = await take(worker);
      expect(second?.subjectId).toBe(due.subjectId);
      expect(second?.fence).not.toBe(first?.fence);
    });

    it("has a batch take what is free, and leave what others own", async () => {
      const { table, derive, enter, take, idsOf } = await fresh();
      const [theirs, free] = [dueIn(0), dueIn(5)];
      await derive([theirs]);
      const [other, mine] = [await enter(), await enter()];
      await take(other);
      const takes = new Set([theirs.subjectId, free.subjectId]);
      expect(idsOf(await derive([theirs, free], { worker: mine, takes }))).toEqual([free.subjectId]);
      expect((await table.beat(other))?.owned).toMatchObject([{ subjectId: theirs.subjectId, changes: "1" }]);
      // Derived again, it is told what has changed.
      expect(await derive([free], { worker: mine })).toMatchObject([
        { subjectId: free.subjectId, changes: "1" },
      ]);
    });

    it("has a batch let go of what its worker says, and of nobody else's", async () => {
      const { derive, enter, take, idsOf } = await fresh();
      const [mine, theirs] = [dueIn(0), dueIn(1)];
      await derive([mine, theirs]);
      const [worker, other] = [await enter(), await enter()];
      await take(worker);
      await take(other, { seconds: 1 });
      const letsGo = new Set([mine.subjectId, theirs.subjectId]);
      await derive([mine, theirs], { worker, letsGo });
      expect(idsOf(await take(other, { busy: [theirs.subjectId], seconds: 60 }))).toEqual([mine.subjectId]);
    });

    it("keeps the row of a subject that is owed nothing until its owner lets go", async () => {
      const { table, derive, enter, take } = await fresh();
      const [owned, free] = [dueIn(0), dueIn(1)];
      await derive([owned, free]);
      const [worker, other] = [await enter(), await enter()];
      const [claim] = await take(worker);
      await derive([nothing(owned), nothing(free)]);
      expect(await take(other, { seconds: 60 })).toEqual([]);
      // An event comes while the owner is still at work.
      await derive([owned], { worker: other, takes: new Set([owned.subjectId]) });
      expect(await table.claimOf(other, owned.subjectId)).toBeUndefined();
      const current = await table.claimOf(worker, owned.subjectId);
      expect([current?.fence, current?.changes]).toEqual([claim?.fence, "2"]);
    });

    it("forgets with the batch that lets go what has failed before", async () => {
      const { table, derive, enter, take, idsOf } = await fresh();
      const due = dueIn(0);
      await derive([due]);
      const worker = await enter();
      const [failed] = await take(worker);
      if (!failed) throw new Error("It was not taken.");
      const retries = { fulfil: { tries: 1, notBeforeMs: at.getTime() } };
      await table.letGo(worker, failed, { dueAt: at, retries });
      await take(worker);
      await derive([dueIn(600, due.subjectId)], { worker, letsGo: new Set([due.subjectId]) });
      await table.remind(due, at);
      const again = await take(worker);
      expect([idsOf(again), again[0]?.retries]).toEqual([[due.subjectId], {}]);
    });

    it("deletes the row of a subject that is owed nothing when its worker lets go with the batch", async () => {
      const { table, derive, enter, take } = await fresh();
      const owned = dueIn(0);
      await derive([owned]);
      const worker = await enter();
      await take(worker);
      await derive([nothing(owned)], { worker, letsGo: new Set([owned.subjectId]) });
      expect(await table.claimOf(worker, owned.subjectId)).toBeUndefined();
      expect((await table.beat(worker))?.nextDueAt).toBeNull();
    });

    it("shows nothing of a batch before it is committed, and gives nothing of it away", async () => {
      const { table, begin, deriving, derive, enter, take } = await fresh();
      const due = dueIn(0);
      await derive([due]);
      const [worker, other] = [await enter(), await enter()];
      const transaction = await begin();
      await transaction.derive(deriving([due], { worker, takes: new Set([due.subjectId]) }));
      expect(await take(other)).toEqual([]);
      expect((await table.beat(worker))?.owned).toEqual([]);
      await transaction.commit();
      expect((await table.beat(worker))?.owned).toHaveLength(1);
    });

    it("forgets a batch that is rolled back", async () => {
      const { begin, deriving, derive, enter, take } = await fresh();
      const due = dueIn(0);
      await derive([due]);
      const [worker, other] = [await enter(), await enter()];
      const transaction = await begin();
      await transaction.derive(deriving([due], { worker, takes: new Set([due.subjectId]) }));
      await transaction.rollBack();
      expect(await take(other)).toHaveLength(1);
    });

    it("has the removal of a worker wait for a batch that takes in its name, and then frees that too", async () => {
      const { table, begin, deriving, enter, take } = await fresh();
      const [worker, other] = [await enter(), await enter()];
      const due = dueIn(0);
      const transaction = await begin();
      await transaction.derive(deriving([due], { worker, takes: new Set([due.subjectId]) }));
      const removed = table.remove(worker);
      await transaction.commit();
      await removed;
      expect(await take(other)).toHaveLength(1);
    });

    it("takes nothing in the name of a worker that was removed", async () => {
      const { table, derive, enter, take } = await fresh();
      const worker = await enter();
      await table.remove(worker);
      const due = dueIn(0);
      const other = await enter();
      expect(await derive([due], { worker, takes: new Set([due.subjectId]) })).toEqual([]);
      expect(await take(other)).toHaveLength(1);
    });

    it("is reminded of a subject that is missing or listed too late, unless it has failed", async () => {
      const { table, derive, enter, take, idsOf } = await fresh();
      const [missing, late, failed] = [dueIn(0), dueIn(600), dueIn(0)];
      await derive([late, failed]);
      const worker = await enter();
      const [claim] = await take(worker);
      if (!claim) throw new Error("It was not taken.");
      const retries = { fulfil: { tries: 1, notBeforeMs: secondsLater(600).getTime() } };
      await table.letGo(worker, claim, { dueAt: secondsLater(600), retries });
      for (const each of [missing, { ...dueIn(0, late.subjectId) }, failed]) await table.remind(each, at);
      expect(idsOf(await take(worker))).toEqual(idsOf([missing, late]));
    });
  });
}
