import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { between, seededRandom } from "../../services/operations/seed/seeded-random.ts";
import { orderBodyOf, personOf, variantBodyOf } from "../../services/operations/seed/seeded-requests.ts";
import { type Bill, billFor, certificatesOf } from "../faults/bill.ts";
import { type Customer, createCustomer, payByCard, type Reply, type Sent } from "../faults/customer.ts";
import { type KnownOrder, notDoneOnce } from "../faults/done-once.ts";
import { startSite } from "../faults/site.ts";
import { wish } from "../speed/load/order.ts";

type RaceOptions = {
  readonly seed: number;
  readonly orders: number;
  /** Orders at the same time. */
  readonly callers: number;
  /** How long the last order may take from its request to its submission. */
  readonly submittedWithinMs: number;
  /** Name of a planted fault. */
  readonly plant?: string | undefined;
  /** Jobs and limits are kept in a Redis. */
  readonly withRedis?: boolean;
  /** The log is in a fake EventStoreDB. */
  readonly withEventStore?: boolean;
};

type RaceReport = {
  readonly requests: number;
  readonly changedBodies: number;
  /** Copies that a gateway was too busy for, and that were sent again. */
  readonly repeated: number;
  readonly orders: number;
  /** Empty when every claim holds. */
  readonly findings: readonly string[];
};

const mostFindings = 50;
/** A gateway that is too busy asks to be sent the same again. */
const mostTries = 10;
const againAfterMs = 500;
const opened = z.object({ id: z.string(), orderNumber: z.string() });
const intent = z.object({ clientSecret: z.string() });
const problem = z.object({ code: z.string() });

/** A command that is sent several times at once. */
type Command = {
  readonly name: string;
  readonly path: string;
  readonly body: object;
  readonly status: number;
  /** All copies name the same events. Not so a command that answers from what is there, when there is nothing to do. */
  readonly samePosition: boolean;
  /** Sent under the same key afterwards: must be refused. */
  readonly changed?: { readonly body: object; readonly status: number; readonly code: string };
};

/** Sends each command of each order 2 to 8 times at once, to two gateways in turn, on a site of its own. */
export async function race(options: RaceOptions): Promise<RaceReport> {
  const { seed, orders, callers, plant, withRedis = false, withEventStore = false } = options;
  await using closing = new AsyncDisposableStack();
  const site = await startSite(closing, { plant, withRedis, withEventStore });
  const random = seededRandom(seed);
  const findings: string[] = [];
  const find = (finding: string) => void (findings.length < mostFindings && findings.push(finding));
  const created: KnownOrder[] = [];
  const counts = { requests: 0, changedBodies: 0, repeated: 0 };

  async function untilTaken(customer: Customer, sent: Sent): Promise<Reply> {
    for (let tries = 1; ; tries++) {
      const reply = await customer.post(sent);
      if (reply.status !== 503 || tries === mostTries) return reply;
      counts.repeated += 1;
      await delay(againAfterMs);
    }
  }

  /** @returns the first answer; undefined when the copies were not answered alike, which ends the order */
  async function inCopies(nth: number, customer: Customer, command: Command): Promise<Reply | undefined> {
    const copies = between(random, 2, 8);
    const key = randomUUID();
    const turn = between(random, 0, 1);
    const at = (copy: number) => site.gateways[(turn + copy) % site.gateways.length] ?? site.url;
    const { name, path, body, changed } = command;
    const replies = await Promise.all(
      Array.from({ length: copies }, (_, copy) => untilTaken(customer, { at: at(copy), path, body, key })),
    );
    counts.requests += copies;
    const wrong = unlike(command, replies);
    if (wrong !== undefined) find(`order ${nth}, ${name}, ${copies} copies: ${wrong}`);
    if (changed) {
      const refused = await untilTaken(customer, { at: at(copies), path, body: changed.body, key });
      counts.changedBodies += 1;
      const { code } = problem.safeParse(refused.body).data ?? {};
      if (refused.status !== changed.status || code !== changed.code)
        find(`order ${nth}, ${name}: a changed body was answered ${inWords(refused)}`);
    }
    return wrong === undefined ? replies[0] : undefined;
  }

  async function order(nth: number): Promise<void> {
    const customer = createCustomer(nth);
    const person = personOf(random, nth);
    /** @throws Unlike, which ends the order */
    const send = async (command: Command): Promise<unknown> => {
      const reply = await inCopies(nth, customer, command);
      if (!reply) throw new Unlike();
      return reply.body;
    };
    const create = async () => {
      const made = opened.parse(await send(creation(orderBodyOf(person, wish))));
      await send(variant(made.id, variantBodyOf(person, wish)));
      return made;
    };
    const wanted = [];
    while (wanted.length < certificatesOf(nth)) wanted.push(await create());
    const ids = wanted.map(({ id }) => id);
    const bill = await billFor(ids, (path, body) => send(opening(path, body)));
    const ending = cancels(nth) ? "cancelled" : "submitted";
    for (const each of wanted) created.push({ ...each, ending, checkoutId: bill.checkoutId });
    const asked = await send(paymentIntent(bill));
    await payByCard(site.cards, intent.parse(asked).clientSecret);
    // Reported for one of them, a payment is confirmed for all, and none is submitted.
    const [first = ""] = ids;
    await send(paymentReport(cancels(nth) ? `/api/orders/${first}/status` : bill.reportPath));
    await Promise.all(ids.map((id) => send(cancels(nth) ? cancellation(id) : submission(id))));
  }

  let next = 0;
  const call = async () => {
    while (next < orders && findings.length < mostFindings)
      await order(next++).catch((error: unknown) => {
        if (!(error instanceof Unlike)) throw error;
      });
  };
  await Promise.all(Array.from({ length: callers }, call));
  for (const finding of await notDoneOnce(site, created, options.submittedWithinMs)) find(finding);
  return { ...counts, orders: created.length, findings };
}

const keyReused = { status: 422, code: "idempotency-key-reused" };

const creation = (body: object): Command => ({
  name: "create",
  path: "/api/orders",
  body,
  status: 201,
  samePosition: true,
  changed: { body: { ...body, contactFullName: "Another Person" }, ...keyReused },
});

const variant = (id: string, body: object): Command => ({
  name: "variant",
  path: `/api/orders/${id}/variants`,
  body,
  status: 201,
  samePosition: true,
  changed: { body: { ...body, customerFirstName: "Another" }, ...keyReused },
});

const opening = (path: string, body: { readonly orderIds: readonly string[] }): Command => ({
  name: "checkout",
  path,
  body,
  status: 201,
  samePosition: true,
  changed: { body: { orderIds: body.orderIds.toReversed() }, ...keyReused },
});

const paymentIntent = ({ intentPath, intentBody }: Bill): Command => ({
  name: "payment intent",
  path: intentPath,
  body: intentBody,
  status: 200,
  samePosition: false,
  changed: {
    body: { ...intentBody, amount: intentBody.amount + 1 },
    status: 409,
    code: "wrong-amount",
  },
});

const paymentReport = (path: string): Command => ({
  name: "payment report",
  path,
  body: { status: "Processing" },
  status: 200,
  samePosition: false,
});

const cancellation = (id: string): Command => ({
  name: "cancellation",
  path: `/api/orders/${id}/cancel`,
  body: {},
  status: 200,
  samePosition: false,
});

const submission = (id: string): Command => ({
  name: "submission",
  path: `/api/orders/${id}/submit`,
  body: {},
  status: 200,
  samePosition: true,
});

/** Copies of a command were not answered alike. */
class Unlike extends Error {}

/** Of two customers with two certificates, one cancels both at once, and each share goes back. */
const cancels = (nth: number): boolean => nth % 4 === 3;

/** How answers to copies of one command differ from each other or from what they should be; else undefined. */
function unlike({ status, samePosition }: Command, replies: readonly Reply[]): string | undefined {
  const [first] = replies;
  const wrong = replies.find((reply) => reply.status !== status);
  if (wrong) return `answered ${inWords(wrong)}`;
  const other = replies.find(
    ({ body, position }) =>
      !isDeepStrictEqual(body, first?.body) || (samePosition && position !== first?.position),
  );
  return first && other && `answered ${inWords(first)}, and ${inWords(other)}`;
}

const inWords = ({ status, body, position }: Reply): string =>
  `${status} ${JSON.stringify(body).slice(0, 200)} at ${position || "no position"}`;
