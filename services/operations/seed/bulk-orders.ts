import { idDeriver } from "../../vault/record-ids.ts";
import { copyEvents } from "./bulk-copy.ts";
import { LifeToCopy } from "./copied-lives.ts";
import { orderMarksOf } from "./order-marks.ts";
import { type Ending, pastLife } from "./past-life.ts";
import type { SeedGround } from "./seed-house.ts";
import { pickWeighted, seededRandom } from "./seeded-random.ts";

export type BulkRequest = { readonly orders: number; readonly seed: number };

const dayMs = 86_400_000;
const lives = 400;
const retentionDays = 365;
/** The youngest ended so long ago that its contact data is due and gone. */
const youngestDays = retentionDays + 30;
const spreadDays = 730;
/** Orders in one transaction, which holds the log's lock. */
const perTransaction = 5_000;

/**
 * Writes past orders straight into the log, chained and in order: their lives were decided by the domain, and each is a copy of one of
 * them. All have ended and are purged, for nothing of them was ever in the vault. Answers how many events there are.
 */
export async function seedBulk(ground: SeedGround, { orders, seed }: BulkRequest): Promise<number> {
  const random = seededRandom(seed);
  const deriveId = idDeriver(await ground.secrets.secret("id-namespace"));
  const toCopy = Array.from(
    { length: lives },
    () => new LifeToCopy(pastLife(random, endingOf(random), retentionDays)),
  );
  const newestMs = Date.now() - youngestDays * dayMs;
  let events = 0;
  for (let done = 0; done < orders; done += perTransaction) {
    const batch = Array.from({ length: Math.min(perTransaction, orders - done) }, (_, n) => {
      const life = toCopy[Math.floor(random() * lives)];
      if (!life) throw new RangeError("There are lives.");
      // Later orders began later, as in a log that grew by itself.
      const share = (done + n) / orders;
      const startMs = Math.floor(newestMs - (1 - share) * spreadDays * dayMs);
      return life.events(orderMarksOf(deriveId, seed, done + n, startMs, life.length));
    });
    events += await copyEvents(ground.pool, batch.flat());
  }
  return events;
}

const endingOf = (random: () => number): Ending =>
  pickWeighted<Ending>(random, [
    ["fulfilled", 86],
    ["expired", 7],
    ["cancelled", 3],
    ["failed", 1],
    ["notFound", 3],
  ]);
