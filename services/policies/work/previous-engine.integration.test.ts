import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { createPool, type Pool } from "../../../infra/postgres/pool.ts";
import { type TestDatabase, testDatabase } from "../../../testing/postgres/test-database.ts";
import { DrivenClock } from "../../../testing/services/driven-clock.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { type PreviousEngine, standInForPrevious } from "./previous-engine.ts";
import type { Clock } from "./worker-lease.ts";

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => pool.query("delete from followers; delete from duties; delete from workers"));

const begun: PreviousEngine[] = [];
afterEach(async () => {
  await Promise.all(begun.splice(0).map((engine) => engine.stop()));
});

const oldWorker = randomUUID();

/** The previous build's follower, as its worker that holds the lease leaves it. */
const holdAsBefore = (lease: "held" | "lapsed", holder: string | null = oldWorker) =>
  pool.query(
    `insert into followers (name, version, lease_holder, lease_until)
     values ('duties', 8, $1, now() + $2 * interval '1 minute')`,
    [holder, lease === "held" ? 1 : -1],
  );

const lapse = () => pool.query("update followers set lease_until = now() - interval '1 second'");

const leaseOf = async () => {
  const { rows } = await pool.query<{ holder: string | null; isHeld: boolean }>(
    `select lease_holder as holder, lease_until > clock_timestamp() as "isHeld" from followers where name = 'duties'`,
  );
  return rows[0];
};

const everyMs = 5_000;

/** A process of this build. In `pass`, each round has its database's answers before the next second begins. */
async function begin(ofProcess = pool) {
  const time = new DrivenClock();
  const [onTurn, onFault] = [vi.fn(), vi.fn()];
  let isBetweenRounds = false;
  const pause: Clock["pause"] = async (ms, signal) => {
    if (ms !== everyMs) return time.clock.pause(ms, signal);
    isBetweenRounds = true;
    await time.clock.pause(ms, signal);
    isBetweenRounds = false;
  };
  const engine = standInForPrevious(ofProcess, onTurn, onFault, { ...time.clock, pause });
  begun.push(engine);
  await engine.start();
  const pass = async (seconds: number) => {
    for (let leftMs = Math.round(seconds * 1_000); leftMs >= 0; leftMs -= 1_000) {
      await time.pass(Math.min(leftMs, 1_000) / 1_000);
      await vi.waitFor(() => expect(isBetweenRounds).toBe(true), soon);
    }
  };
  await pass(0);
  return { engine, pass, onTurn, onFault };
}

it("acts at once where the previous build never ran", async () => {
  const { engine, onTurn } = await begin();
  expect([engine.mayAct(), onTurn.mock.calls.length]).toEqual([true, 1]);
});

it("does not act while a worker of the previous build holds the lease, and waits 20 s after it", async () => {
  await holdAsBefore("held");
  const { engine, pass, onTurn, onFault } = await begin();
  await pass(4);
  expect(engine.mayAct()).toBe(false);
  await lapse();
  await pass(1);
  await vi.waitFor(async () => expect((await leaseOf())?.holder).not.toBe(oldWorker), soon);
  await pass(19.9);
  expect([engine.mayAct(), onTurn.mock.calls.length]).toEqual([false, 0]);
  await pass(0.1);
  expect([engine.mayAct(), onTurn.mock.calls.length]).toEqual([true, 1]);
  expect(onFault).not.toHaveBeenCalled();
});

it("acts at once after another process of this build, and beside it", async () => {
  await holdAsBefore("lapsed");
  const first = await begin();
  await first.pass(20);
  const second = await begin();
  expect([first.engine.mayAct(), second.engine.mayAct()]).toEqual([true, true]);
});

it("keeps the previous build's list, and its sweeps from what is due", async () => {
  await holdAsBefore("lapsed");
  await pool.query(
    `insert into duties (subject_id, name, kind, due_at, look_at)
     select gen_random_uuid(), name, 'mail', now(), now() + seconds * interval '1 second'
     from (values ('due', 0), ('later', 3600)) as given (name, seconds)`,
  );
  await begin();
  const { rows } = await pool.query(
    `select name, look_at > now() + interval '20 seconds' as "isAhead", look_at > now() + interval '1 minute' as "isLater"
     from duties order by name`,
  );
  expect(rows).toEqual([
    { name: "due", isAhead: true, isLater: false },
    { name: "later", isAhead: true, isLater: true },
  ]);
});

it("stops acting 30 s after it last renewed the lease", async () => {
  await holdAsBefore("lapsed");
  const own = createPool(database.connectionString);
  const { engine, pass, onFault } = await begin(own);
  await pass(20);
  expect(engine.mayAct()).toBe(true);
  await own.end();
  await pass(29);
  expect(onFault).toHaveBeenCalled();
  await pass(1);
  expect(engine.mayAct()).toBe(false);
});

it("waits again after a worker of the previous build that took a lapsed lease", async () => {
  await holdAsBefore("lapsed");
  const { engine, pass } = await begin();
  await pass(20);
  expect(engine.mayAct()).toBe(true);
  await pool.query("delete from followers");
  await holdAsBefore("held");
  await pass(30);
  await lapse();
  await pass(5);
  await vi.waitFor(async () => expect((await leaseOf())?.holder).not.toBe(oldWorker), soon);
  await pass(10);
  expect(engine.mayAct()).toBe(false);
  await pass(12);
  expect(engine.mayAct()).toBe(true);
});

it("frees the lease at its end, unless other workers of this build go on", async () => {
  await holdAsBefore("lapsed");
  const { engine } = await begin();
  await pool.query("insert into workers (id) values (gen_random_uuid())");
  await engine.stop();
  expect(await leaseOf()).toMatchObject({ isHeld: true });
  await pool.query("delete from workers");
  await engine.stop();
  // The holder stays: the next process of this build need not wait.
  expect(await leaseOf()).toEqual({ holder: expect.any(String), isHeld: false });
  const next = await begin();
  expect(next.engine.mayAct()).toBe(true);
});
