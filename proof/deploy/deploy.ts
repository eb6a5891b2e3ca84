import { root } from "../../infra/setup/steps.ts";
import { seededRandom } from "../../services/operations/seed/seeded-random.ts";
import { few, traffic, wrongAtTheEnd } from "../faults/comparison.ts";
import { startCustomers } from "../faults/customers.ts";
import { type MailWatch, watchMails } from "../faults/mails.ts";
import type { SourceFault } from "../faults/planted.ts";
import { type Site, startSite } from "../faults/site.ts";
import { until } from "../faults/until.ts";

type DeployOptions = {
  readonly seed: number;
  /** The project's folder of the other build, with its packages. */
  readonly from: string;
  /** Deploys with their return, before the last deploy. */
  readonly turns: number;
  /** Customers at the same time. */
  readonly callers: number;
  /** Commands that succeed before each process is replaced. */
  readonly commandsBetween: number;
  /** How long anything may take to work again while a process is replaced. */
  readonly recoversWithinMs: number;
  /** How long all that is due may take after the last deploy. */
  readonly doneWithinMs: number;
  readonly plant?: SourceFault | undefined;
  /** Called with what a long run has reached. */
  readonly say?: (words: string) => void;
};

type DeployReport = {
  /** Processes that gave way to one of the other build. */
  readonly replaced: number;
  /** Of these, while customers waited for an answer. */
  readonly underLoad: number;
  /** What customers sent and were told. */
  readonly summary: string;
  /** Empty when every claim holds. */
  readonly findings: readonly string[];
};

/** A customer after an order: processes start beside them, and must catch up. */
const restsForMs = 1_000;
/** As operators are told: what folds for the old gateways stays until the last of them has stopped. */
const inOrder = ["projections-1", "worker-1", "worker-2", "gateway-1", "gateway-2", "projections-2"];

/**
 * Replaces each process of a site of another build by one of this build while customers order, and back again, as often
 * as is asked for. At the end all are of this build, and what is left is compared.
 */
export async function deployUnderLoad(options: DeployOptions): Promise<DeployReport> {
  const { seed, from, turns, callers, commandsBetween, recoversWithinMs, doneWithinMs, plant } = options;
  const { say = () => undefined } = options;
  await using closing = new AsyncDisposableStack();
  const site = await startSite(closing, { folder: from, withTwoOfEach: true, plant: plant?.name });
  const findings: string[] = [];
  const find = (finding: string) => void findings.push(finding);
  const mails = watchMails(site, closing);
  const customers = startCustomers({
    ...{ site, callers, find },
    random: seededRandom(seed),
    repeatsForMs: recoversWithinMs,
    restsForMs,
  });
  closing.defer(() => customers.stop());
  const counts = { replaced: 0, underLoad: 0 };

  async function serve(): Promise<void> {
    const wanted = customers.journal.length + commandsBetween;
    const served = await until(
      recoversWithinMs,
      () => customers.journal.length,
      (length) => length >= wanted || findings.length > 0,
    );
    if (served < wanted && findings.length === 0)
      find(`${wanted - served} of ${commandsBetween} commands did not succeed in time`);
  }

  async function deploy(folder: string): Promise<void> {
    for (const name of inOrder) {
      await serve();
      if (findings.length > 0) return;
      if (customers.counts.underWay > 0) counts.underLoad += 1;
      const code = await site.processes.find((process) => process.name === name)?.replaceFrom(folder);
      counts.replaced += 1;
      if (code !== 0) find(`${name} ended with ${code} when it was to stop`);
    }
    say(`All is of ${folder}: ${customers.orders.length} orders`);
  }

  for (const folder of [...Array.from({ length: turns }, () => [root, from]).flat(), root])
    await deploy(folder);
  await serve();
  say("No more deploys: the customers finish");
  await customers.stop();
  say("All is compared with the log");
  findings.push(...few(await stillDue(site, doneWithinMs)));
  findings.push(...(await wrongAtTheEnd(site, customers, mails, doneWithinMs)), ...few(leftTwice(mails)));
  return { ...counts, findings, summary: traffic(customers, mails) };
}

/** @returns in words, each task that is due by now, and is not done in time */
async function stillDue({ pool }: Site, withinMs: number): Promise<string[]> {
  const now = new Date();
  const ask = async () => {
    const { rows } = await pool.query<{ id: string; name: string }>(
      `select subject_id as id, task ->> 'name' as name from work, jsonb_array_elements(tasks) as task
       where (task ->> 'dueAt')::timestamptz <= $1`,
      [now],
    );
    return rows;
  };
  const due = await until(withinMs, ask, (rows) => rows.length === 0);
  return due.map(({ id, name }) => `${id}: ${name} is still due`);
}

/**
 * A worker that stops by a signal records first what has left: only one that dies, or stops for longer than its lease,
 * may send a mail that another sends again (services/policies/README.md).
 */
const leftTwice = ({ arrivals }: MailWatch): string[] =>
  [...arrivals]
    .filter(([, times]) => times.length > 1)
    .map(([id, times]) => `mail ${id} left ${times.length} times, though no worker died`);
