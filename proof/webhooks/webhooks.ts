import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { pick, seededRandom } from "../../services/operations/seed/seeded-random.ts";
import { orderBodyOf, personOf, variantBodyOf } from "../../services/operations/seed/seeded-requests.ts";
import { billFor, certificatesOf } from "../faults/bill.ts";
import { createCustomer, payByCard, payByDeclinedCard } from "../faults/customer.ts";
import { type KnownOrder, notDoneOnce } from "../faults/done-once.ts";
import { type Site, startSite } from "../faults/site.ts";
import { wish } from "../speed/load/order.ts";
import { type Forgery, forgeriesOf } from "./forgeries.ts";
import { type Payment, refundByHand } from "./refunds-by-hand.ts";
import { delivered, startRelay, type Webhook } from "./relay.ts";

type WebhookOptions = {
  readonly seed: number;
  readonly orders: number;
  /** Orders at the same time. */
  readonly callers: number;
  /** How late a copy of a webhook may come. */
  readonly latestMs: number;
  /** How long the last order may take to its submission, once all webhooks have come. */
  readonly submittedWithinMs: number;
  /** Name of a planted fault. */
  readonly plant?: string | undefined;
};

type WebhookReport = {
  readonly paid: number;
  readonly declined: number;
  /** Never paid at all. */
  readonly left: number;
  readonly webhooks: number;
  readonly copies: number;
  readonly replays: number;
  readonly forgeries: number;
  /** By hand, of several orders with one payment: assigned by staff, divided by a dispute, and of the whole. */
  readonly refunds: { readonly assigned: number; readonly disputed: number; readonly whole: number };
  /** Empty when every claim holds. */
  readonly findings: readonly string[];
};

const mostFindings = 50;
const handedOverWithinMs = 120_000;
const opened = z.object({ id: z.string(), orderNumber: z.string() });
const intent = z.object({ clientSecret: z.string() });

/** Of three customers, two pay; the third's card is declined, or they leave. */
type Ending = "paid" | "declined" | "left";
const endings: readonly Ending[] = ["left", "paid", "paid", "declined", "paid", "paid"];

/**
 * Customers pay and close their browser, so only webhooks tell of the payment: they come late, twice, in any order and
 * again, with forged ones among them, and at the end one of each kind for each order that was not paid. Then someone
 * refunds the payments for several orders by hand.
 */
export async function harass(options: WebhookOptions): Promise<WebhookReport> {
  const { seed, orders, callers, latestMs, submittedWithinMs, plant } = options;
  await using closing = new AsyncDisposableStack();
  const random = seededRandom(seed);
  const findings: string[] = [];
  const find = (finding: string) => void (findings.length < mostFindings && findings.push(finding));
  const known: KnownOrder[] = [];
  const ended = { paid: 0, declined: 0, left: 0 };
  const declinedIds = new Set<string>();
  const payments: Payment[] = [];
  const untriedIntents: string[] = [];
  const forging: Promise<void>[] = [];
  let forgeries = 0;
  let site: Site | undefined;
  let genuine: Webhook | undefined;

  async function forge({ kind, webhook, status }: Forgery, { gateways }: Site): Promise<void> {
    forgeries += 1;
    const answered = await delivered(webhook, () => pick(random, gateways));
    if (answered !== status) find(`A forged webhook ${kind} was answered ${answered} instead of ${status}`);
  }

  const relay = await startRelay({
    random,
    latestMs,
    gateways: () => site?.gateways ?? [],
    onTaken: (webhook) => {
      if (!site || !webhook.path.endsWith("/stripe")) return;
      genuine = webhook;
      if (untriedIntents.length === 0) return;
      const choice = forgeriesOf(webhook, pick(random, untriedIntents), site.webhookSecret);
      forging.push(forge(pick(random, choice), site));
    },
    onRefused: ({ path, body }, status) =>
      find(`A genuine webhook to ${path} was answered ${status}: ${body.slice(0, 200)}`),
  });
  closing.defer(() => relay.close());
  const started = await startSite(closing, {
    settings: { SUBMISSION_REQUESTED_WITHIN_SECONDS: "1" },
    deliversTo: relay.url,
    plant,
  });
  site = started;

  async function order(nth: number): Promise<void> {
    const customer = createCustomer(nth);
    const person = personOf(random, nth);
    const send = async (path: string, body: object) => {
      const reply = await customer.post({ at: started.url, path, body, key: randomUUID() });
      if (reply.status !== 200 && reply.status !== 201)
        throw new Error(`${path} was answered ${reply.status}: ${JSON.stringify(reply.body)}`);
      return reply.body;
    };
    const create = async () => {
      const created = opened.parse(await send("/api/orders", orderBodyOf(person, wish)));
      await send(`/api/orders/${created.id}/variants`, variantBodyOf(person, wish));
      return created;
    };
    const wanted = [];
    while (wanted.length < certificatesOf(nth)) wanted.push(await create());
    const ids = wanted.map(({ id }) => id);
    const bill = await billFor(ids, send);
    const { clientSecret } = intent.parse(await send(bill.intentPath, bill.intentBody));
    const ending = endings[nth % endings.length] ?? "left";
    ended[ending] += 1;
    for (const each of wanted)
      known.push({
        ...each,
        ending: ending === "paid" ? "submitted" : "unpaid",
        checkoutId: bill.checkoutId,
      });
    const [intentId = ""] = clientSecret.split("_secret_");
    if (ending === "paid") {
      payments.push({ intentId, orders: wanted });
      return payByCard(started.cards, clientSecret);
    }
    if (ending === "left") {
      untriedIntents.push(intentId);
      return;
    }
    // Of several that are paid for together, the first has it recorded.
    declinedIds.add(ids[0] ?? "");
    await payByDeclinedCard(started.cards, clientSecret);
  }

  let next = 0;
  const call = async () => {
    while (next < orders) await order(next++);
  };
  await Promise.all(Array.from({ length: callers }, call));
  await untilDelivered(started);
  await relay.settled();
  await Promise.all(forging);
  if (!genuine) throw new Error("No webhook of the card provider came.");
  for (const intentId of untriedIntents)
    for (const forgery of forgeriesOf(genuine, intentId, started.webhookSecret))
      await forge(forgery, started);
  for (const finding of await notDoneOnce(started, known, submittedWithinMs)) find(finding);
  const failures = await started.log.timesOf("PaymentFailed");
  for (const id of new Set([...declinedIds, ...failures.keys()])) {
    const [is, should] = [failures.get(id) ?? 0, declinedIds.has(id) ? 1 : 0];
    if (is !== should) find(`${id}: PaymentFailed ${is} times instead of ${should}`);
  }
  const shared = payments.filter((payment) => payment.orders.length > 1);
  const { findings: wrong, ...refunds } = await refundByHand(started, shared, {
    ...{ random, withinMs: submittedWithinMs, settled: relay.settled },
  });
  for (const finding of wrong) find(finding);
  const { taken: webhooks, copies, replays } = relay.counts;
  return { ...ended, webhooks, copies, replays, forgeries, refunds, findings };
}

/** Waits until the sandbox has handed over every webhook that is due. */
async function untilDelivered({ pool }: Site): Promise<void> {
  const deadline = Date.now() + handedOverWithinMs;
  for (;;) {
    const { rows } = await pool.query<{ n: number }>(
      "select count(*) as n from sandbox.deliveries where due_at < now() + interval '1 second'",
    );
    if (rows[0]?.n === 0) return;
    if (Date.now() > deadline) throw new Error(`${rows[0]?.n} webhooks were not handed over.`);
    await delay(100);
  }
}
