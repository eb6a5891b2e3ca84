import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import {
  type Appended,
  type AppendRequest,
  beginning,
  type EventStore,
} from "../../infra/event-store/event-store.ts";
import { between, pick, seededRandom } from "../../services/operations/seed/seeded-random.ts";
import type { Mail } from "../../services/providers/smtp/mailer.ts";
import { createMemoryEventStore, createMemoryLog } from "../../testing/event-store/memory-event-store.ts";
import { testAutomation, testMailer } from "../../testing/providers/fake-providers.ts";
import { MemoryWorkTable } from "../../testing/services/memory-work-table.ts";
import { createMemoryVault } from "../../testing/vault/memory-vault.ts";
import { orderCertificate, orderTogether } from "./people/customers.ts";
import { Mailboxes } from "./people/mailboxes.ts";
import { NoAnswer, type Site } from "./people/site.ts";
import type { Plant } from "./planted/plant.ts";
import { createBank } from "./platform/bank.ts";
import { inOneTransaction, newFollower } from "./platform/follower.ts";
import { Machines } from "./platform/machines.ts";
import { calm, Network, weathers } from "./platform/network.ts";
import { type Shared, startProduct } from "./platform/product.ts";
import { createReadModels } from "./platform/read-models.ts";
import { drawIncidents, drawSettings, drawTroubles } from "./platform/troubles.ts";
import { replaceTimers, VirtualTime } from "./platform/virtual-time.ts";
import { Witness } from "./rules/witness.ts";

/** The outcome of one seed. */
export type Outcome = {
  readonly seed: number;
  /** In the words of the domain; empty when all held. */
  readonly violations: readonly string[];
  /** A line for each event and fault; empty unless asked for. */
  readonly story: readonly string[];
  /** The same for the same history. */
  readonly digest: string;
  readonly counts: Readonly<Record<string, number>>;
};

const startMs = Date.parse("2026-11-23T09:30:00.000Z");
/** Until then there is trouble; then everything answers, and all machines run. */
const troubleMs = 6 * 60_000;
/** Time for every retry, deadline and expiry to come. */
const wholeMs = 35 * 60_000;
/** For what no rule expects, once nothing is left to do. Every tenth seed lives to the end. */
const quietMs = 3 * 60_000;
const answerWithinMs = 30_000;
/** Ten times what a history needs: one that appends in an endless loop ends here. */
const mostAppends = 3_000;

let current = new VirtualTime(startMs);
let randomBytes: () => number = Math.random;

/** Makes time and chance of this process the simulation's. It cannot do anything else from then on. */
export function takeOver(): void {
  replaceTimers(() => current);
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => Math.floor(randomBytes() * 16).toString(16)).join("");
  const randomUUID = () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
  Object.assign(crypto, { randomUUID });
  syncBuiltinESMExports();
  Math.random = () => randomBytes();
}

/** Lives through the orders of one seed. @param plant a fault put into the product, which must be found */
export async function simulate(
  seed: number,
  options: { story?: boolean; plant?: Plant } = {},
): Promise<Outcome> {
  const random = seededRandom(seed);
  randomBytes = seededRandom(seed ^ 0x5bd1e995);
  const time = new VirtualTime(startMs);
  current = time;
  const story: string[] = [];
  const digest = crypto.createHash("sha256");
  const counts: Record<string, number> = {};
  const tell = (words: () => string) => {
    const line = `${new Date(time.nowMs).toISOString().slice(11, 23)} ${words()}`;
    digest.update(line);
    if (options.story) story.push(line);
  };
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };

  const calmFromMs = startMs + troubleMs;
  const weather = pick(random, weathers);
  const machines = new Machines({
    ...{ time, random, tell, start: (machine) => startProduct(shared, machine) },
    onDeath: (life) => witness.mails.died(life),
    onPause: (life, forMs) => witness.mails.disturbed(life, forMs),
    onStop: ({ workers }, askedAtMs) => void expectGone(workers, askedAtMs),
  });
  const isCalm = () => time.nowMs >= calmFromMs;
  const drawing = { random, machines: machines.all, fromMs: startMs, untilMs: calmFromMs };
  const network = new Network({
    ...{ time, random, tell, troubles: drawTroubles(drawing) },
    kill: (machine) => machines.kill(machine),
    pause: (machine, forMs) => machines.pause(machine, forMs, random() < 0.3),
    weather: () => (isCalm() ? calm : weather),
    onFault: (from, name, fate, forMs) => witness.disturbed(from, name, fate, forMs),
  });
  const now = () => new Date(time.nowMs);
  // As with the log in Postgres, or in another store.
  const vault = createMemoryVault(now, random() < 0.5);
  const store = createMemoryEventStore({ log: createMemoryLog(), now, take: vault.take });
  const bank = createBank();
  const automation = testAutomation(now);
  const outside = {
    store,
    vault,
    ...{ bank, automation, now, tell, count, calmFromMs, nowMs: () => time.nowMs },
  };
  const arrived = (mail: Mail, stream: string) => mailboxes.arrived(mail, stream);
  const witness = new Witness({ ...outside, arrived, mailer: testMailer() });
  const follower = newFollower();
  const ring = () => {
    const waiting = [...follower.bell];
    follower.bell.clear();
    for (const wake of waiting) wake();
  };
  let databaseAheadMs = 0;
  const setDatabase = (aheadMs: number) => {
    tell(() => `the database's clock is ${aheadMs / 1000} s ahead`);
    databaseAheadMs = aheadMs;
    witness.mails.clockSet();
  };
  let appends = 0;
  const append = async (request: AppendRequest): Promise<Appended> => {
    appends += 1;
    if (appends > mostAppends) throw new Error("The log is full.");
    const appended = await store.append(request);
    for (const { type } of request.events) tell(() => `log: ${type} of ${request.stream}`);
    witness.appended(request);
    time.after(between(random, 1, 5), ring);
    return appended;
  };
  const well: Shared = {
    ...{ time, random, network, follower, payments: bank },
    newId: () => crypto.randomUUID(),
    store: withAppend(store, append),
    vault: witness.vault,
    ...{
      rows: new MemoryWorkTable(() => time.nowMs + databaseAheadMs),
      models: createReadModels(),
      commit: inOneTransaction,
    },
    automation: witness.automation,
    mailer: witness.mailer,
    beaten: (life) => witness.mails.beaten(life),
    subjectOf: (recordIds) => witness.subjectOf(recordIds),
  };
  const shared = options.plant?.put?.(well) ?? well;

  const request: Site["request"] = (name, handle) =>
    new Promise((resolve, reject) => {
      const machine = pick(random, machines.all);
      const noAnswer = () => reject(new NoAnswer(name));
      const stopWaiting = time.after(answerWithinMs, noAnswer);
      const travelMs = between(random, 5, 60);
      const isLost = !isCalm() && random() < 0.03;
      time.after(travelMs, () => {
        const product = machines.productOf(machine);
        if (!product) return void noAnswer();
        time.on(machine, machine.life, () => {
          const answered = (give: () => void) => {
            if (isLost) return;
            time.after(travelMs, () => {
              stopWaiting();
              give();
            });
          };
          handle(product.deps).then(
            (value) => answered(() => resolve(value)),
            (error: unknown) => answered(() => reject(error)),
          );
        });
      });
    });
  const { acknowledge, wishes } = witness;
  const { newId } = well;
  const failed: string[] = [];
  let busy = 0;
  const aside = (work: Promise<void>) => {
    busy += 1;
    void work.catch((error: unknown) => failed.push(String(error))).finally(() => (busy -= 1));
  };
  const site: Site = {
    ...{ random, newId, now, bank, automation, tell, acknowledge, wishes },
    ...{ calmFromMs, aside, request },
  };
  const mailboxes = new Mailboxes(site);
  const visit = () => (random() < 0.15 ? orderTogether(site) : orderCertificate(site));
  const expectGone = async (workers: Iterable<string>, askedAtMs: number) => {
    // What was refused in trouble is left to the other worker, which finds that its heartbeats have ended.
    if (askedAtMs < calmFromMs) return;
    const table = shared.rows.tableOf();
    for (const worker of workers) witness.stopped((await table.beat(worker)) !== undefined);
  };
  for (const machine of machines.all) machines.start(machine);
  for (const incident of drawIncidents(drawing)) time.at(incident.atMs, () => machines.befalls(incident));
  for (const { atMs, aheadMs } of drawSettings({ ...drawing, random: seededRandom(seed ^ 0x2f6b81a3) }))
    time.at(atMs, () => setDatabase(aheadMs));
  const orders = between(random, 1, 4);
  for (let n = 0; n < orders; n++) time.after(between(random, 0, troubleMs / 2), () => aside(visit()));
  await time.runUntil(calmFromMs);
  machines.calm();
  for (const machine of machines.all)
    time.after(between(random, 0, 60_000), () =>
      machines.befalls({ machine, atMs: time.nowMs, what: "restarts" }),
    );
  const endMs = startMs + wholeMs;
  const isQuiet = async () =>
    busy === 0 &&
    !shared.rows.hasUntil(endMs) &&
    follower.checkpoint === (await store.head()) &&
    (await witness.isSettled(endMs));
  const isWhole = seed % 10 === 0;
  while (time.nowMs < endMs) {
    const isOver = !isWhole && (await isQuiet());
    await time.runUntil(Math.min(endMs, time.nowMs + (isOver ? quietMs : 60_000)));
    if (isOver) break;
  }
  const unlike = well.models.differences(await store.readAll(beginning, Number.MAX_SAFE_INTEGER));
  const violations = [
    ...failed,
    ...(appends > mostAppends ? ["the log grows without end"] : []),
    ...(await witness.findings()),
    ...unlike.map((name) => `${name} is not the fold of the log`),
  ];
  return { seed, violations, story, digest: digest.digest("hex").slice(0, 16), counts };
}

/** A method of a class instance is not copied by spreading it. */
const withAppend = (store: EventStore, append: EventStore["append"]): EventStore => ({
  append,
  readStream: (...given) => store.readStream(...given),
  readAll: (...given) => store.readAll(...given),
  eventAt: (...given) => store.eventAt(...given),
  follow: (...given) => store.follow(...given),
  head: () => store.head(),
  logId: () => store.logId(),
  close: () => store.close(),
});
