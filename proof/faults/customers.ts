import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { checkoutStream } from "../../domain/checkout/events.ts";
import { orderStream } from "../../domain/order/events.ts";
import { pick } from "../../services/operations/seed/seeded-random.ts";
import { orderBodyOf, personOf, variantBodyOf } from "../../services/operations/seed/seeded-requests.ts";
import { wish } from "../speed/load/order.ts";
import { type Bill, billFor, certificatesOf } from "./bill.ts";
import { type Customer, createCustomer, payByCard, type Reply } from "./customer.ts";
import type { KnownOrder } from "./done-once.ts";
import type { Site } from "./site.ts";

/** Told to a customer: the log must have it for ever. */
export type Acknowledged = {
  /** Each has the event, one of them at the position. */
  readonly streams: readonly string[];
  readonly event: string;
  readonly position: string;
};

/** Customers who order certificates, again and again, some of them two at once. */
export type Customers = {
  /** Of each command that succeeded, in the order of the answers. */
  readonly journal: readonly Acknowledged[];
  /** Whose creation was acknowledged. */
  readonly orders: readonly KnownOrder[];
  readonly counts: {
    readonly requests: number;
    /** Sent again, because nothing or an outage was the answer. */
    readonly repeated: number;
    /** On their way at this moment. */
    readonly underWay: number;
  };
  /** Lets each finish the order at hand. */
  readonly stop: () => Promise<void>;
};

type CustomersOptions = {
  readonly site: Site;
  readonly callers: number;
  readonly random: () => number;
  /** How long a customer repeats a request before giving up. */
  readonly repeatsForMs: number;
  /** How long a customer waits for one answer; 30 s by default. */
  readonly givesUpAfterMs?: number;
  /** How long a customer rests after each order; not at all by default. */
  readonly restsForMs?: number;
  readonly find: (finding: string) => void;
};

/** No answer, a request that did not arrive, too many requests, and an outage: sent again under the same key. */
const passing: ReadonlySet<number> = new Set([0, 408, 429, 502, 503]);
const notYetPaid: ReadonlySet<string> = new Set(["payment-not-received", "payment-processing"]);
const betweenTriesMs = 200;
const opened = z.object({ id: z.string(), orderNumber: z.string() });
const checkout = z.object({ id: z.string() });
const intent = z.object({ clientSecret: z.string() });
const problem = z.object({ code: z.string() });

/** Which checkout it belongs to is known only later. */
type Ordered = KnownOrder & { checkoutId: string | undefined };

/** A customer's request came to an end that no outage explains, or took too long. */
class Unserved extends Error {}

export function startCustomers(options: CustomersOptions): Customers {
  const { site, callers, random, repeatsForMs, givesUpAfterMs, restsForMs = 0, find } = options;
  const journal: Acknowledged[] = [];
  const orders: KnownOrder[] = [];
  const counts = { requests: 0, repeated: 0, underWay: 0 };
  let isOver = false;

  /** Sends a command to either gateway until it is answered by what is no outage. */
  async function answerTo(customer: Customer, path: string, body: object): Promise<Reply> {
    const key = randomUUID();
    const deadline = performance.now() + repeatsForMs;
    for (;;) {
      counts.requests += 1;
      counts.underWay += 1;
      const reply = await customer.post({ at: pick(random, site.gateways), path, body, key });
      counts.underWay -= 1;
      if (!passing.has(reply.status)) return reply;
      if (performance.now() > deadline) throw new Unserved(`${path} is still answered ${inWords(reply)}`);
      counts.repeated += 1;
      await delay(betweenTriesMs);
    }
  }

  async function order(nth: number): Promise<void> {
    const customer = createCustomer(nth, givesUpAfterMs);
    const person = personOf(random, nth);

    /** Sends a command, and notes of which event in which streams the answer tells. */
    async function send(event: string, streams: readonly string[], path: string, body: object) {
      const reply = await answerTo(customer, path, body);
      const answered = taken(path, reply);
      journal.push({ streams, event, position: reply.position });
      return answered;
    }

    async function create(): Promise<Ordered> {
      const path = "/api/orders";
      const reply = await answerTo(customer, path, orderBodyOf(person, wish));
      const ordered: Ordered = {
        ...opened.parse(taken(path, reply)),
        ...{ ending: "submitted", checkoutId: undefined },
      };
      const { id } = ordered;
      journal.push({ streams: [orderStream(id)], event: "OrderCreated", position: reply.position });
      orders.push(ordered);
      const variant = variantBodyOf(person, wish);
      await send("VariantAdded", [orderStream(id)], `/api/orders/${id}/variants`, variant);
      return ordered;
    }

    const wanted: Ordered[] = [];
    while (wanted.length < certificatesOf(nth)) wanted.push(await create());
    const streams = wanted.map(({ id }) => orderStream(id));
    const bill = await billFor(
      wanted.map(({ id }) => id),
      async (path, body) => {
        const reply = await answerTo(customer, path, body);
        const { id } = checkout.parse(taken(path, reply));
        journal.push({ streams: [checkoutStream(id)], event: "CheckoutOpened", position: reply.position });
        for (const each of wanted) each.checkoutId = id;
        return { id };
      },
    );
    const { clientSecret } = intent.parse(
      await send("PaymentRequested", streams, bill.intentPath, bill.intentBody),
    );
    const { position } = await paid(customer, bill, clientSecret);
    journal.push({ streams, event: "PaymentConfirmed", position });
    const [first] = wanted;
    if (first && wanted.length === 1)
      await send("SubmissionRequested", streams, `/api/orders/${first.id}/submit`, {});
    else journal.push({ streams, event: "SubmissionRequested", position });
  }

  /**
   * Pays until the product has the money: the sandbox of the card provider keeps its records in the Postgres that is
   * killed, and refuses a payment meanwhile.
   */
  async function paid(customer: Customer, { reportPath: path }: Bill, clientSecret: string): Promise<Reply> {
    const deadline = performance.now() + repeatsForMs;
    for (;;) {
      // The product's answer decides: the payment may have been refused, or have succeeded without an answer.
      await payByCard(site.cards, clientSecret).catch(() => undefined);
      const reply = await answerTo(customer, path, { status: "Processing" });
      const code = problem.safeParse(reply.body).data?.code ?? "";
      if (!notYetPaid.has(code) || performance.now() > deadline) {
        taken(path, reply);
        return reply;
      }
      await delay(betweenTriesMs);
    }
  }

  let next = 0;
  const call = async () => {
    while (!isOver) {
      try {
        await order(next++);
      } catch (error) {
        if (!(error instanceof Unserved)) throw error;
        find(error.message);
      }
      await delay(restsForMs);
    }
  };
  const calling = Promise.all(Array.from({ length: callers }, call));
  calling.catch(() => undefined); // `stop` reports it.
  return {
    ...{ journal, orders, counts },
    stop: async () => {
      isOver = true;
      await calling;
    },
  };
}

/** @returns the answer's body @throws Unserved unless the command succeeded */
function taken(path: string, reply: Reply): unknown {
  if (reply.status === 200 || reply.status === 201) return reply.body;
  throw new Unserved(`${path} was answered ${inWords(reply)}`);
}

const inWords = ({ status, body }: Reply): string => `${status} ${JSON.stringify(body).slice(0, 200)}`;
