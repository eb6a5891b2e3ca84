import { setTimeout as delay } from "node:timers/promises";
import { seededRandom } from "../../services/operations/seed/seeded-random.ts";
import { patienceMs } from "../../testing/setup/patience.ts";
import { eachOf, order } from "./customers.ts";
import type { Recognisable } from "./people.ts";
import type { Site } from "./site.ts";

/** What the log says at the moment of a kill: each is seen first, then the process dies. */
const steps = [
  "SubmissionStarted",
  "SubmittedToGRO",
  "SensitiveDataPurgeStarted",
  "SensitiveDataPurged",
] as const;
const destroyed = "keys destroyed";

export type Kill = {
  readonly after: string;
  /** The last event of each order of this round, as the dead process left it. */
  readonly left: readonly string[];
};

const perRound = 3;
/** A process is killed at once, or up to so much later. */
const mostLateMs = 20;

/**
 * Lets three people order, kills the product with -9 as soon as the log shows a step of theirs, and starts it again at
 * once: each step in turn, with a random delay.
 */
export async function killThrough(
  site: Site,
  people: readonly Recognisable[],
  rounds: number,
  seed: number,
): Promise<Kill[]> {
  const random = seededRandom(seed);
  const kills: Kill[] = [];
  for (let round = 0; round < rounds; round++) {
    const own = people.slice(round * perRound, (round + 1) * perRound);
    const before = await head(site);
    const destroyedBefore = await destroyedRecords(site);
    await eachOf(own, perRound, (person) => order(site, person));
    const all = [destroyed, ...steps];
    const after = all[round % all.length] ?? destroyed;
    await until(async () =>
      after === destroyed
        ? (await destroyedRecords(site)) > destroyedBefore
        : (await count(site, after, before)) > 0,
    );
    await delay(random() * mostLateMs);
    await site.product.kill();
    kills.push({ after, left: await lastEvents(site, before) });
    await site.product.start();
  }
  return kills;
}

export const peopleFor = (rounds: number): number => rounds * perRound;

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error("The step to be killed at was not reached.");
    await delay(2);
  }
}

const one = async (site: Site, sql: string, values: unknown[] = []): Promise<number> => {
  const { rows } = await site.pool.query<{ n: number }>(sql, values);
  return rows[0]?.n ?? 0;
};

const head = (site: Site) => one(site, "select coalesce(max(position), 0) as n from events");
const count = (site: Site, type: string, after: number) =>
  one(site, "select count(*) as n from events where type = $1 and position > $2", [type, after]);
const destroyedRecords = (site: Site) =>
  one(
    site,
    "select count(*) as n from vault_records where kind = 'application' and destroyed_at is not null",
  );

async function lastEvents({ pool }: Site, after: number): Promise<string[]> {
  const { rows } = await pool.query<{ type: string }>(
    `select (select type from events last where last.stream = opened.stream order by revision desc limit 1)
     from events opened where type = 'OrderCreated' and position > $1`,
    [after],
  );
  return rows.map(({ type }) => type);
}

const open = `
  select count(*) as n from events accepted where type = 'SubmittedToGRO' and not exists (
    select from events purged where purged.stream = accepted.stream and purged.type = 'SensitiveDataPurged')`;

/** Waits until everyone who paid has been submitted and purged. */
export async function untilPurged(site: Site, paid: number): Promise<void> {
  const deadline = performance.now() + 2 * 180_000;
  for (;;) {
    const submitted = await count(site, "SubmittedToGRO", 0);
    if (submitted >= paid && (await one(site, open)) === 0) return;
    // The promise is broken: how long it took is reported, and does not hold.
    if (performance.now() > deadline)
      throw new Error(`${submitted} of ${paid} submitted; not all are purged.`);
    await delay(200);
  }
}

/** Seconds from the GRO's acceptance to the receipt, of every order. */
export async function purgeSeconds({ pool }: Site): Promise<number[]> {
  const { rows } = await pool.query<{ seconds: number }>(
    `select extract(epoch from (purged.metadata ->> 'at')::timestamptz
       - (accepted.data ->> 'submittedAt')::timestamptz)::float8 as seconds
     from events accepted join events purged using (stream)
     where accepted.type = 'SubmittedToGRO' and purged.type = 'SensitiveDataPurged'`,
  );
  return rows.map(({ seconds }) => seconds);
}
