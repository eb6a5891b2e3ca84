import { setTimeout as delay } from "node:timers/promises";
import { pick, seededRandom } from "../../services/operations/seed/seeded-random.ts";
import { traffic, wrongAtTheEnd } from "../faults/comparison.ts";
import { startCustomers } from "../faults/customers.ts";
import { watchMails } from "../faults/mails.ts";
import type { SourceFault } from "../faults/planted.ts";
import { startSite } from "../faults/site.ts";
import { type Victim, victimsOf } from "./victims.ts";

type KillOptions = {
  readonly seed: number;
  readonly kills: number;
  /** Customers at the same time. */
  readonly callers: number;
  /** How long anything may take to work again after a kill. */
  readonly recoversWithinMs: number;
  /**
   * How long all that is due may take after the last. The product asks about a submission without an answer after a
   * minute, or two if it heard of a fault, and submits again a minute later.
   */
  readonly doneWithinMs: number;
  readonly plant?: SourceFault | undefined;
  /** Jobs and limits are kept in a Redis, which is killed as well. */
  readonly withRedis?: boolean;
  /** The log is in a fake EventStoreDB, which is killed as well. */
  readonly withEventStore?: boolean;
  /** Called with what a long run has reached. */
  readonly say?: (words: string) => void;
};

type KillReport = {
  /** By the name of what was killed. */
  readonly kills: Readonly<Record<string, number>>;
  /** Kills while customers waited for an answer. */
  readonly underLoad: number;
  /** What customers sent and were told. */
  readonly summary: string;
  /** Empty when every claim holds. */
  readonly findings: readonly string[];
};

/** Between what is killed being ready and its end. */
const latestMs = 1_000;
/** Of so many kills, one does not wait until customers are served again. */
const atOnceOneIn = 4;
const lookEveryMs = 20;
/** So many kills. */
const sayEvery = 20;

/** Kills the processes of a site, its Postgres and its Redis with -9 while customers order, and compares what is left. */
export async function killUnderLoad(options: KillOptions): Promise<KillReport> {
  const { seed, callers, recoversWithinMs, plant, say = () => undefined } = options;
  await using closing = new AsyncDisposableStack();
  const site = await startSite(closing, {
    withRedis: options.withRedis ?? false,
    withEventStore: options.withEventStore ?? false,
    postgres: plant?.postgres ?? [],
    plant: plant?.name,
  });
  // What the start wrote is not at stake: with a plant, not even the tables would be left.
  await site.pool.query("checkpoint");
  const findings: string[] = [];
  const find = (finding: string) => void findings.push(finding);
  const mails = watchMails(site, closing);
  const customers = startCustomers({
    ...{ site, callers, find },
    random: seededRandom(seed + 1),
    repeatsForMs: recoversWithinMs,
  });
  closing.defer(() => customers.stop());
  const random = seededRandom(seed);
  const victims = victimsOf(site, random);
  const kills: Record<string, number> = Object.fromEntries(victims.map(({ name }) => [name, 0]));
  let underLoad = 0;

  /** @returns whether it came to hold in time */
  async function within(holds: () => boolean | Promise<boolean>): Promise<boolean> {
    const deadline = performance.now() + recoversWithinMs;
    while (!(await holds())) {
      if (performance.now() > deadline) return false;
      await delay(lookEveryMs);
    }
    return true;
  }

  async function kill(victim: Victim): Promise<void> {
    const { name, isReady } = victim;
    const before = customers.journal.length;
    const isAtOnce = random() * atOnceOneIn < 1;
    if (!(await within(isReady))) return find(`${name} did not become ready again`);
    if (!isAtOnce && !(await within(() => customers.journal.length > before)))
      return find(`no command succeeded before ${name} was to be killed`);
    await delay(random() * latestMs);
    // It may have ended meanwhile: a server whose process was killed does, a moment later.
    if (!(await within(isReady))) return find(`${name} did not become ready again`);
    if (customers.counts.underWay > 0) underLoad += 1;
    victim.kill();
    kills[name] = (kills[name] ?? 0) + 1;
  }

  for (let nth = 0; nth < options.kills && findings.length === 0; nth++) {
    await kill(pick(random, victims));
    if ((nth + 1) % sayEvery === 0) say(`${nth + 1} kills, ${customers.orders.length} orders`);
  }
  for (const { name, isReady } of victims)
    if (!(await within(isReady))) find(`${name} did not become ready again`);
  say("No more kills: the customers finish");
  await customers.stop();
  say("All is compared with the log");
  findings.push(...(await wrongAtTheEnd(site, customers, mails, options.doneWithinMs)));
  return { kills, underLoad, findings, summary: traffic(customers, mails) };
}
