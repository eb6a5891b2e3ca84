import { afterAll, beforeAll, expect, it } from "vitest";
import { createPool, inTransaction, type Pool } from "../../infra/postgres/pool.ts";
import { carriedOut, type Statement, statementsOf } from "../../testing/postgres/query-plan-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { createTaskList, followersOf, outstandingPurges } from "./tasks/task-list.ts";

/** A year of orders on the list: a purge each, due in time, and a few tasks due now among them. */
const kept = 1_000_000;
const part = 50_000;

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
  // In batches, because a statement is cut off after 30 s; by rising ids, which is quick.
  for (let from = 1; from < kept; from += part) {
    await pool.query(
      `insert into duties (subject_id, name, kind, due_at, look_at, follows)
       select subject, case when is_mail then 'mail-confirmation-1' else 'purge-contact-1-1' end,
              case when is_mail then 'mail' else 'purge' end, at, at, case when n % 20 = 1 then subject end
       from generate_series($1::int, $2::int) n,
            lateral (select ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, n % 2 = 0, now() + n * interval '31 seconds')
              as made (subject, is_mail, at)`,
      [from, from + part - 1],
    );
  }
  await pool.query(
    `insert into duties (subject_id, name, kind, due_at, look_at)
     select gen_random_uuid(), 'purge-application-1-' || (1 + n % 2), 'purge', at, at
     from generate_series(1, 300) n, lateral (select now() - n * interval '1 second' as at) as due`,
  );
  await pool.query("analyze duties");
}, 300_000);
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

it.each<[string, RegExp, (recording: Pool) => Promise<unknown>, number]>([
  [
    "overdue applications for the alarm, every 15 s in every worker",
    /^duties_application_purges$/,
    (recording) => createTaskList(recording).openPurges(new Date(), 100),
    150,
  ],
  [
    "outstanding purges, at each view of their page",
    /^duties_to_destroy$/,
    (recording) => outstandingPurges(recording)(200),
    250,
  ],
  [
    "purges the queue has not done, every 15 s in every worker",
    // Whichever holds fewer rows at the moment.
    /^duties_(to_destroy|by_look)$/,
    (recording) => createTaskList(recording).latePurges(new Date(), minutesAgo(1), 200),
    400,
  ],
  [
    "tasks due for a check, every 15 s in every worker",
    /^duties_by_look$/,
    (recording) => createTaskList(recording).toLookAt(new Date(), 1000),
    400,
  ],
])(`uses an index to find %s among a million tasks`, async (_, index, ask, mostBlocks) => {
  const [statement] = await statementsOf(pool, ask);
  if (!statement) throw new Error("No query was sent.");
  const carried = await carriedOut(pool, statement);
  expect(carried.scanned).toEqual([]);
  expect(carried.indexes).toEqual([expect.stringMatching(index)]);
  expect(carried.blocks).toBeLessThan(mostBlocks);
});

it("uses an index to find the tickets linked to an order", async () => {
  const { rows } = await pool.query<{ follows: string }>(
    "select follows from duties where follows is not null limit 1",
  );
  const orderIds = rows.map(({ follows }) => follows);
  const carried = await inTransaction(pool, async (client) => {
    const statements: Statement[] = [];
    const query = (text: string, values: unknown[]) => {
      statements.push({ text, values });
      return client.query(text, values);
    };
    expect(await followersOf({ query }, orderIds)).toHaveLength(1);
    const [statement] = statements;
    return statement && carriedOut(pool, statement);
  });
  expect(carried).toMatchObject({ indexes: ["duties_following"], scanned: [] });
});

it("detects a full scan without the indexes (control)", async () => {
  const [statement] = await statementsOf(pool, (recording) => outstandingPurges(recording)(200));
  await pool.query("drop index duties_to_destroy");
  const carried = statement && (await carriedOut(pool, statement));
  expect(carried?.scanned).toEqual(["duties"]);
  expect(carried?.blocks).toBeGreaterThan(10_000);
});
