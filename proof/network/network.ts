import { setTimeout as delay } from "node:timers/promises";
import { seededRandom } from "../../services/operations/seed/seeded-random.ts";
import { traffic, wrongAtTheEnd } from "../faults/comparison.ts";
import { startCustomers } from "../faults/customers.ts";
import { watchMails } from "../faults/mails.ts";
import type { SourceFault } from "../faults/planted.ts";
import { startSite } from "../faults/site.ts";
import { Link } from "./link.ts";
import { planStrikes, type Strikes } from "./strikes.ts";

type NetworkOptions = {
  readonly seed: number;
  readonly faults: number;
  /** Customers at the same time. */
  readonly callers: number;
  /** From the moment a gateway has a request until it answers or closes the connection. */
  readonly settlesWithinMs: number;
  /** How long customers may go unserved. */
  readonly recoversWithinMs: number;
  /**
   * How long all that is due may take after the last fault. The product asks about a submission without an answer after
   * a minute, and submits again a minute later, the next time five minutes later.
   */
  readonly doneWithinMs: number;
  /** Jobs and limits are kept in Redis. */
  readonly withRedis?: boolean;
  /** The log is in a fake EventStoreDB. */
  readonly withEventStore?: boolean;
  /** Links that are left alone. */
  readonly spared?: RegExp;
  /** Breaks dead connections after the last fault, instead of leaving that to the product. */
  readonly breaksDeadAtTheEnd?: boolean;
  readonly plant?: SourceFault | undefined;
  /** Called with what a long run has reached. */
  readonly say?: (words: string) => void;
};

type NetworkReport = {
  readonly strikes: Omit<Strikes, "strike">;
  /** Until a gateway settled a request. */
  readonly longestMs: number;
  /** What customers sent and were told. */
  readonly summary: string;
  /** Empty when every claim holds. */
  readonly findings: readonly string[];
};

/** Longer than a gateway may take: a customer who leaves earlier would hide how long it takes. */
const patienceOverMs = 2_000;
/** Between two faults. */
const latestMs = 500;
/** Of so many faults, one does not wait until customers are served again. */
const atOnceOneIn = 4;
const lookEveryMs = 20;
/** So many faults. */
const sayEvery = 50;

/** Breaks the connections between customers, the product's processes, their stores and the sandbox while customers order. */
export async function disturb(options: NetworkOptions): Promise<NetworkReport> {
  const {
    seed,
    callers,
    settlesWithinMs,
    recoversWithinMs,
    doneWithinMs,
    spared,
    plant,
    say = () => undefined,
  } = options;
  await using closing = new AsyncDisposableStack();
  const random = seededRandom(seed);
  const findings: string[] = [];
  const find = (finding: string) => void findings.push(finding);
  let longestMs = 0;
  const onSettled = (request: string, tookMs: number) => {
    longestMs = Math.max(longestMs, tookMs);
    if (tookMs > settlesWithinMs)
      find(`${request} was not settled within ${settlesWithinMs} ms, but in ${Math.round(tookMs)}`);
  };

  const links: Link[] = [];
  closing.defer(async () => void (await Promise.all(links.map((link) => link.close()))));
  const site = await startSite(closing, {
    withRedis: options.withRedis ?? false,
    withEventStore: options.withEventStore ?? false,
    plant: plant?.name,
    between: async (from, to, toPort) => {
      const link = await Link.open({
        ...{ from, to, toPort, random },
        onSettled: from === "customers" ? onSettled : undefined,
      });
      links.push(link);
      return link.port;
    },
  });
  const breakDead = () => {
    for (const link of links) link.breakDead();
  };
  closing.defer(breakDead);
  const mails = watchMails(site, closing);
  const customers = startCustomers({
    ...{ site, callers, find },
    random: seededRandom(seed + 1),
    repeatsForMs: recoversWithinMs,
    givesUpAfterMs: settlesWithinMs + patienceOverMs,
  });
  closing.defer(() => customers.stop());
  const struck = links.filter(({ name }) => !spared?.test(name));
  const strikes = planStrikes({ links: struck, random, plant, withinMs: recoversWithinMs });

  async function servedAgain(before: number): Promise<void> {
    const deadline = performance.now() + recoversWithinMs;
    while (customers.journal.length <= before && findings.length === 0) {
      if (performance.now() > deadline) return find(`no command succeeded within ${recoversWithinMs} ms`);
      await delay(lookEveryMs);
    }
  }

  for (let nth = 1; nth <= options.faults && findings.length === 0; nth++) {
    const before = customers.journal.length;
    if (!(await strikes.strike())) find(`no connection was used within ${recoversWithinMs} ms`);
    if (random() * atOnceOneIn > 1) await servedAgain(before);
    await delay(random() * latestMs);
    if (nth % sayEvery === 0) say(`${nth} faults, ${customers.orders.length} orders`);
  }
  say("No more faults: the customers finish");
  const isPlantFound = findings.some((found) => plant?.finding.test(found));
  if (options.breaksDeadAtTheEnd || isPlantFound) breakDead();
  await customers.stop();
  if (!isPlantFound) {
    say("All is compared with the log");
    findings.push(...(await wrongAtTheEnd(site, customers, mails, doneWithinMs)));
  }
  return { strikes, longestMs, findings, summary: traffic(customers, mails) };
}
