import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createMemoryEventStore } from "../../../testing/event-store/memory-event-store.ts";
import { boundStore } from "../../../testing/event-store/store-fixture.ts";
import { createWorkTable, happenIn, workDone, writing } from "../../../testing/infra/following-fixture.ts";
import { testDatabase } from "../../../testing/postgres/test-database.ts";
import { beginning, type EventStore } from "../../event-store/event-store.ts";
import { createPool, inTransaction, type Pool } from "../../postgres/pool.ts";
import { unwatched } from "../follower-turn.ts";
import { acquire, LeaseLost } from "../lease.ts";
import { listParked, park } from "../parked-streams.ts";
import { registerAll, sharedKey } from "./membership.ts";
import type { Member } from "./shared-commit.ts";
import { SharedTurn } from "./shared-turn.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

let store: EventStore;
let table: string;
let role: string;
/** The answer to the next commit is lost. */
let losesAnswer = false;
beforeEach(async () => {
  store = createMemoryEventStore();
  table = await createWorkTable(pool);
  role = `role-${randomUUID()}`;
  losesAnswer = false;
});

/** The pool with connections that may break after a commit, before its answer is here. */
const breaking = (): Pool => {
  const connect = async () => {
    const client = await pool.connect();
    const query = async (words: string, values?: unknown[]) => {
      const answer = await client.query(words, values);
      if (words !== "commit" || !losesAnswer) return answer;
      losesAnswer = false;
      throw new Error("Connection terminated unexpectedly");
    };
    return { query, release: (error?: Error) => client.release(error) };
  };
  return { query: pool.query.bind(pool), connect } as unknown as Pool;
};

const member = (name: string): Member => ({
  ...{ name: `${name} of ${role}`, version: 1, mostParked: 10 },
  ...{ process: writing(table, name), redo: writing(table, name) },
});

async function begin(): Promise<{ turn: SharedTurn; failed: string[] }> {
  const failed: string[] = [];
  const lease = await acquire(pool, sharedKey(role), "a process", 60_000);
  const parts = { name: role, store: boundStore(store), pool: breaking(), leaseMs: 60_000, batchSize: 500 };
  const turn = new SharedTurn(
    { ...parts, watch: unwatched, log: undefined, onFailed: ({ name }) => failed.push(name) },
    lease ?? expect.fail("another holds the lease"),
  );
  return { turn, failed };
}

const take = async (turn: SharedTurn) =>
  turn.take(await store.readAll(turn.position || beginning, 100), turn.occupied);

it("takes no batch once the answer to an admission is lost", async () => {
  const [old, young] = [member("old"), member("young")];
  await registerAll(pool, role, [old, young]);
  const { turn } = await begin();
  await turn.admit([old]);
  await happenIn(store, "a stream", "one");
  losesAnswer = true;
  const admitted = turn.admit([old, young]);
  const taken = take(turn);
  await expect(admitted).rejects.toThrow("Connection terminated");
  await expect(taken).rejects.toThrow(LeaseLost);
  const next = await begin();
  await next.turn.admit([old, young]);
  await take(next.turn);
  expect(await workDone(pool, table)).toEqual(["one by old", "one by young"]);
});

it("drops a member when the answer to its resumed stream is lost", async () => {
  const one = member("one");
  await registerAll(pool, role, [one]);
  const { turn: before } = await begin();
  await before.admit([one]);
  await happenIn(store, "a stream", "one");
  await take(before);
  const [event] = await store.readStream("a stream");
  await inTransaction(pool, (client) => park(client, one, event ?? expect.fail("no event"), "changed"));
  const { turn, failed } = await begin();
  await turn.admit([one]);
  losesAnswer = true;
  await turn.retry();
  // It is resumed, and the seat would still pass over it.
  expect(await listParked(pool, [one], 10)).toEqual([]);
  expect(failed).toEqual([one.name]);
  expect(turn.has(one)).toBe(false);
});

it("admits no member once it has ended", async () => {
  const one = member("one");
  await registerAll(pool, role, [one]);
  const { turn } = await begin();
  await turn.end();
  await expect(turn.admit([one])).rejects.toThrow(LeaseLost);
  expect(turn.has(one)).toBe(false);
});
