import type { Pool } from "../../../infra/postgres/pool.ts";

/** How far the search for lost notices has come. */
export type SearchPlace = {
  /** Everything that happened before is taken. */
  readonly from: Date;
  /** Where the walk under way began; null between two walks. */
  readonly until: Date | null;
  /** The event that it goes on from, towards older ones; null at its beginning. */
  readonly after: string | null;
  /** How often the page that comes next failed. */
  readonly tries: number;
};

/** So often one process looks. */
const searchEverySeconds = 600;
/** Stripe lists events of the last 30 days. */
const memorySeconds = 30 * 86_400;

/** Takes the turn, when it is time for one: whoever gets the place is alone with it for ten minutes, and one that dies has lost that turn alone. */
export async function claimSearch(pool: Pool, now: Date): Promise<SearchPlace | undefined> {
  await pool.query(
    `insert into lost_notice_search (look_at, from_at)
     values ($1, $1::timestamptz - $2 * interval '1 second') on conflict do nothing`,
    [now, memorySeconds],
  );
  const { rows } = await pool.query<SearchPlace>(
    `update lost_notice_search set look_at = $1::timestamptz + $2 * interval '1 second' where look_at <= $1
     returning greatest(from_at, $1::timestamptz - $3 * interval '1 second') as "from",
       until_at as "until", after_event as "after", tries`,
    [now, searchEverySeconds, memorySeconds],
  );
  return rows[0];
}

/** Writes down how far it has come. */
export async function keepPlace(pool: Pool, { from, until, after, tries }: SearchPlace): Promise<void> {
  await pool.query(
    "update lost_notice_search set from_at = $1, until_at = $2, after_event = $3, tries = $4",
    [from, until, after, tries],
  );
}
