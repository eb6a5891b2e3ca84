import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { DrivenClock, settled } from "../../../testing/services/driven-clock.ts";
import { MemoryWorkTable } from "../../../testing/services/memory-work-table.ts";
import type { WorkTable } from "./work-table.ts";
import { fenced, LeaseLost, WorkerLease } from "./worker-lease.ts";

type Row = { readonly time: DrivenClock; readonly rows: MemoryWorkTable };

const oneRow = (): Row => {
  const time = new DrivenClock();
  return { time, rows: new MemoryWorkTable(() => time.now().getTime()) };
};

/** A process whose calls to the database a test can break. */
function process({ time, rows }: Row) {
  const faults = {
    beats: 0,
    isSlow: undefined as Promise<void> | undefined,
    removal: undefined as Promise<void> | undefined,
  };
  const plain = rows.tableOf();
  const removed: (readonly [string, string | undefined])[] = [];
  const table: Pick<WorkTable, "enter" | "beat" | "remove"> = {
    enter: plain.enter,
    beat: async (worker) => {
      if (faults.beats > 0) throw new Error(`Lost, ${--faults.beats} to come.`);
      await faults.isSlow;
      return plain.beat(worker);
    },
    remove: async (worker, beats) => {
      removed.push([worker, beats]);
      await faults.removal;
      return plain.remove(worker, beats);
    },
  };
  const [onBeat, onLost, onFreed, onFault] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];
  const lease = new WorkerLease({
    ...{ table, newId: randomUUID, clock: time.clock, onBeat, onLost, onFreed, onFault },
  });
  lease.start();
  return { lease, faults, removed, onBeat, onLost, onFreed, onFault };
}

/** The worker's id, once its first heartbeat is confirmed. */
async function idOf(lease: WorkerLease): Promise<string> {
  await settled();
  const { fresh } = lease;
  if (fresh === undefined) throw new Error("It is not fresh.");
  return fresh;
}

describe("A worker's lease", () => {
  it("is kept by a heartbeat every two seconds", async () => {
    const row = oneRow();
    const { lease, onBeat } = process(row);
    const id = await idOf(lease);
    await row.time.pass(60);
    expect([lease.fresh, onBeat.mock.calls.length]).toEqual([id, 31]);
  });

  it("is not fresh six seconds after the last confirmed heartbeat was sent, and is again with the next", async () => {
    const row = oneRow();
    const { lease, faults, onLost } = process(row);
    const id = await idOf(lease);
    faults.beats = 4;
    await row.time.pass(5.9);
    expect(lease.fresh).toBe(id);
    await row.time.pass(0.2);
    expect(lease.fresh).toBeUndefined();
    await row.time.pass(4);
    expect(lease.fresh).toBe(id);
    expect(onLost).not.toHaveBeenCalled();
  });

  it("is not fresh when a suspended machine wakes", async () => {
    const row = oneRow();
    const { lease } = process(row);
    const id = await idOf(lease);
    row.time.suspend(7);
    expect(lease.fresh).toBeUndefined();
    await row.time.pass(2);
    expect(lease.fresh).toBe(id);
  });

  it("counts from when a heartbeat was sent, not from its answer", async () => {
    const row = oneRow();
    const { lease, faults } = process(row);
    await idOf(lease);
    const answered = Promise.withResolvers<void>();
    faults.isSlow = answered.promise;
    await row.time.pass(9);
    answered.resolve();
    faults.isSlow = undefined;
    await settled();
    expect(lease.fresh).toBeUndefined();
  });

  it("confirms at once while it is fresh, and otherwise with the next heartbeat", async () => {
    const row = oneRow();
    const { lease, faults } = process(row);
    const id = await idOf(lease);
    await lease.confirm(id);
    faults.beats = 3;
    await row.time.pass(6.1);
    const confirmed = vi.fn();
    const confirming = lease.confirm(id).then(confirmed);
    await row.time.pass(1);
    expect(confirmed).not.toHaveBeenCalled();
    await row.time.pass(2);
    await confirming;
  });

  it("is lost when its row is gone, and taken anew under another id", async () => {
    const row = oneRow();
    const { lease, faults, onLost } = process(row);
    const id = await idOf(lease);
    faults.beats = 4;
    await row.time.pass(6.5);
    const confirming = expect(lease.confirm(id)).rejects.toThrow(LeaseLost);
    await row.rows.tableOf().remove(id);
    await row.time.pass(4);
    await confirming;
    expect(onLost).toHaveBeenCalledOnce();
    await row.time.pass(2);
    expect(lease.fresh).not.toBe(id);
    expect(lease.fresh).toEqual(expect.any(String));
    await expect(lease.confirm(id)).rejects.toThrow(LeaseLost);
  });

  it("is given up by a process that stops while it is old, and kept for what is under way", async () => {
    const row = oneRow();
    const { lease, faults } = process(row);
    const id = await idOf(lease);
    faults.beats = 4;
    await row.time.pass(6.1);
    const waiting = expect(lease.confirm(id)).rejects.toThrow(LeaseLost);
    const underWay = Promise.withResolvers<void>();
    const stopped = vi.fn();
    const stopping = lease.stop(underWay.promise).then(stopped);
    await waiting;
    await row.time.pass(20);
    expect([lease.fresh, stopped.mock.calls]).toEqual([id, []]);
    await lease.confirm(id);
    underWay.resolve();
    await stopping;
    expect(await row.rows.tableOf().beat(id)).toBeUndefined();
  });

  it("ends with the process, which removes its row", async () => {
    const row = oneRow();
    const { lease } = process(row);
    const id = await idOf(lease);
    await lease.stop();
    expect(await row.rows.tableOf().beat(id)).toBeUndefined();
    await expect(lease.confirm(id)).rejects.toThrow(LeaseLost);
  });
});

describe("A worker that watches others", () => {
  it("removes one that has sent no heartbeat for eight seconds, and none that lives", async () => {
    const row = oneRow();
    const watcher = process(row);
    const live = process(row);
    const dead = randomUUID();
    await row.rows.tableOf().enter(dead);
    await row.time.pass(7);
    expect(watcher.removed).toEqual([]);
    await row.time.pass(3);
    expect([...watcher.removed, ...live.removed].map(([id]) => id)).toContain(dead);
    expect(watcher.onFreed).toHaveBeenCalled();
    expect(await row.rows.tableOf().beat(dead)).toBeUndefined();
    await row.time.pass(60);
    expect(live.onLost).not.toHaveBeenCalled();
  });

  it("removes none that lives after all were cut off from the database, or once its clock was set", async () => {
    const row = oneRow();
    const workers = [0, 1, 2].map(() => process(row));
    for (const befalls of [
      () => row.time.suspend(60),
      () => row.time.skipWallClock(20),
      () => row.time.skipWallClock(-3600),
    ]) {
      await row.time.pass(5);
      befalls();
      await row.time.pass(30);
    }
    expect(workers.flatMap(({ removed }) => removed)).toEqual([]);
  });

  it("removes one that none of its short-lived successors could watch for eight seconds", async () => {
    const row = oneRow();
    const dead = randomUUID();
    await row.rows.tableOf().enter(dead);
    const removed = [];
    for (let life = 0; life < 3; life += 1) {
      const short = process(row);
      await row.time.pass(4.5);
      short.faults.beats = Number.POSITIVE_INFINITY;
      removed.push(...short.removed);
      await row.time.pass(1);
    }
    expect(removed).toContainEqual([dead, "0"]);
  });

  it("goes on with its own heartbeat while a removal waits for a lock", async () => {
    const row = oneRow();
    const watcher = process(row);
    const id = await idOf(watcher.lease);
    const [dead, unlocked] = [randomUUID(), Promise.withResolvers<void>()];
    await row.rows.tableOf().enter(dead);
    watcher.faults.removal = unlocked.promise;
    await row.time.pass(30);
    expect([watcher.lease.fresh, watcher.removed.length]).toEqual([id, 1]);
    unlocked.resolve();
    await settled();
    expect(await row.rows.tableOf().beat(dead)).toBeUndefined();
  });

  it("removes only what has sent no other heartbeat since", async () => {
    const row = oneRow();
    const watcher = process(row);
    const late = randomUUID();
    await row.rows.tableOf().enter(late);
    await row.time.pass(10);
    expect(watcher.removed).toEqual([[late, "0"]]);
  });
});

it("only the named calls of a port are fenced", async () => {
  const port = { name: "post", send: vi.fn(async (what: string) => what), look: vi.fn(async () => "seen") };
  const confirm = vi.fn(() => Promise.reject(new LeaseLost()));
  const own = fenced(port, ["send"], confirm);
  expect([own.name, await own.look()]).toEqual(["post", "seen"]);
  expect(confirm).not.toHaveBeenCalled();
  await expect(own.send("a mail")).rejects.toThrow(LeaseLost);
  expect(port.send).not.toHaveBeenCalled();
  await expect(fenced(port, ["send"], async () => undefined).send("a mail")).resolves.toBe("a mail");
});
