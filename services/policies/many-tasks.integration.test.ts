import { afterAll, beforeAll, expect, it } from "vitest";
import { createPool, type Pool } from "../../infra/postgres/pool.ts";
import { carriedOut, statementsOf } from "../../testing/postgres/query-plan-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { outstandingPurges } from "./work/work-reads.ts";
import { createWorkTable, followersOf, taskRules } from "./work/work-table.ts";

/** A year of orders on the list: a purge each, due in time, and a few tasks due now among them. */
const kept = 1_000_000;
const part = 50_000;
const worker = "0f000000-0000-4000-8000-000000000001";

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
  // In batches, because a statement is cut off after 30 s; by rising ids, which is quick.
  for (let from = 1; from < kept; from += part) {
    await pool.query(
      `insert into work (subject_id, due_at, destroys_at, tasks, follows, rules)
       select subject, at, case when not is_mail then at end,
              jsonb_build_array(jsonb_build_object('name', name, 'kind', kind, 'dueAt', at)),
              case when n % 20 = 1 then subject end, $3
       from generate_series($1::int, $2::int) n,
            lateral (select ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, n % 2 = 0, now() + n * interval '31 seconds')
              as made (subject, is_mail, at),
            lateral (select case when is_mail then 'mail' else 'purge' end,
                            case when is_mail then 'mail-confirmation-1' else 'purge-contact-1-1' end) as named (kind, name)`,
      [from, from + part - 1, taskRules],
    );
  }
  await pool.query(
    `insert into work (subject_id, due_at, destroys_at, tasks, rules)
     select gen_random_uuid(), at, at, jsonb_build_array(jsonb_build_object(
       'name', 'purge-application-1-' || (1 + n % 2), 'kind', 'purge', 'dueAt', at)), $1
     from generate_series(1, 300) n, lateral (select now() - n * interval '1 second' as at) as due`,
    [taskRules],
  );
  await pool.query("insert into workers (id) values ($1)", [worker]);
  await pool.query(
    `update work set owner = $1 where subject_id in (select subject_id from work where due_at > now() limit 100)`,
    [worker],
  );
  await pool.query("analyze work");
}, 300_000);
afterAll(async () => {
  await pool.end();
  await database.drop();
});

it.each<[string, RegExp, (recording: Pool) => Promise<unknown>, number]>([
  [
    "overdue applications for the alarm, every 15 s in every worker",
    /^work_(by_due|to_destroy)$/,
    (recording) => createWorkTable(recording).openPurges(new Date(), 100),
    400,
  ],
  [
    "outstanding purges, at each view of their page",
    /^work_to_destroy$/,
    (recording) => outstandingPurges(recording)(200),
    250,
  ],
  [
    "what is due next and what a worker owns, at each heartbeat",
    /^work_(by_due|owned)$/,
    (recording) => createWorkTable(recording).beat(worker),
    400,
  ],
  [
    "what is due and free",
    /^work_(by_due|to_destroy|owned|pkey)$/,
    (recording) =>
      createWorkTable(recording).take({ worker, at: new Date(), busy: [], crowded: [], most: 10 }),
    3_000,
  ],
])(`uses an index to find %s among a million tasks`, async (_, index, ask, mostBlocks) => {
  const [statement] = await statementsOf(pool, ask);
  if (!statement) throw new Error("No query was sent.");
  const carried = await carriedOut(pool, statement);
  // The few workers are read from one block.
  expect(carried.scanned.filter((table) => table !== "workers")).toEqual([]);
  expect(carried.indexes.filter((name) => name.startsWith("work_") && !index.test(name))).toEqual([]);
  expect(carried.blocks).toBeLessThan(mostBlocks);
});

it("uses an index to find the tickets linked to an order", async () => {
  const { rows } = await pool.query<{ follows: string }>(
    "select follows from work where follows is not null limit 1",
  );
  const orderIds = rows.map(({ follows }) => follows);
  const [statement] = await statementsOf(pool, async (recording) => {
    expect(await followersOf(recording, orderIds)).toHaveLength(1);
  });
  const carried = statement && (await carriedOut(pool, statement));
  expect(carried).toMatchObject({ indexes: ["work_following"], scanned: [] });
});

it("detects a full scan without the indexes (control)", async () => {
  const [statement] = await statementsOf(pool, (recording) => outstandingPurges(recording)(200));
  await pool.query("drop index work_to_destroy");
  const carried = statement && (await carriedOut(pool, statement));
  expect(carried?.scanned).toEqual(["work"]);
  expect(carried?.blocks).toBeGreaterThan(10_000);
});
