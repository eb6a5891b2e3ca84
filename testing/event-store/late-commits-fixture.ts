import type { Pool } from "../../infra/postgres/pool.ts";

const mostMs = 10;

/**
 * Makes commits that insert into a table take up to 10 ms longer. It runs just before the commit, after positions were
 * assigned: the moment when transactions overtake each other.
 * @param share of the rows that wait
 */
export async function delayCommits(pool: Pool, table: string, share = 1): Promise<void> {
  await pool.query(`
    create or replace function delay_${table}() returns trigger language plpgsql as $$ begin
      if random() < ${share} then perform pg_sleep(random() * ${mostMs / 1000}); end if;
      return null;
    end $$;
    create constraint trigger delayed after insert on ${table} deferrable initially deferred
      for each row execute function delay_${table}()`);
}

export type NaiveFollowing = { readonly written: number; readonly seen: number };

/**
 * What follows go wrong without the log's rules: each writer inserts rows numbered by a bare sequence, whose commits are
 * delayed, while one who follows asks for what is newer than the newest it has seen.
 */
export async function followNaively(
  pool: Pool,
  writers: number,
  rowsEach: number,
  share = 1,
): Promise<NaiveFollowing> {
  await pool.query("create table naive (position bigint generated always as identity, writer int, n int)");
  await delayCommits(pool, "naive", share);
  const seen = new Set<number>();
  let newest = 0;
  let isWriting = true;
  const follower = async () => {
    for (;;) {
      const isLastLook = !isWriting;
      const { rows } = await pool.query<{ position: number }>(
        "select position from naive where position > $1 order by position",
        [newest],
      );
      for (const { position } of rows) {
        seen.add(position);
        newest = position;
      }
      if (isLastLook) return;
    }
  };
  const following = follower();
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let n = 0; n < rowsEach; n++)
        await pool.query("insert into naive (writer, n) values ($1, $2)", [writer, n]);
    }),
  );
  isWriting = false;
  await following;
  const { rows } = await pool.query<{ written: number }>("select count(*) as written from naive");
  return { written: rows[0]?.written ?? 0, seen: seen.size };
}
