import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { pick } from "../../services/operations/seed/seeded-random.ts";
import { orderBodyOf, personOf, variantBodyOf } from "../../services/operations/seed/seeded-requests.ts";
import { wish } from "../speed/load/order.ts";
import { type Customer, createCustomer, payByCard, type Reply } from "./customer.ts";
import type { KnownOrder } from "./done-once.ts";
import type { Site } from "./site.ts";

/** Told to a customer: the log must have it for ever. */
export type Acknowledged = { readonly orderId: string; readonly event: string; readonly position: string };

/** Customers who order one certificate after another. */
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
  readonly find: (finding: string) => void;
};

/** No answer, a request that did not arrive, too many requests, and an outage: sent again under the same key. */
const passing: ReadonlySet<number> = new Set([0, 408, 429, 502, 503]);
const notYetPaid: ReadonlySet<string> = new Set(["payment-not-received", "payment-processing"]);
const betweenTriesMs = 200;
const opened = z.object({ id: z.string(), orderNumber: z.string() });
const intent = z.object({ clientSecret: z.string() });
const problem = z.object({ code: z.string() });

/** A customer's request came to an end that no outage explains, or took too long. */
class Unserved extends Error {}

export function startCustomers(options: CustomersOptions): Customers {
  const { site, callers, random, repeatsForMs, givesUpAfterMs, find } = options;
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
    const acknowledged = (orderId: string, event: string, { position }: Reply) =>
      void journal.push({ orderId, event, position });

    const first = await answerTo(customer, "/api/orders", orderBodyOf(person, wish));
    const { id, orderNumber } = opened.parse(taken("/api/orders", first));
    acknowledged(id, "OrderCreated", first);
    orders.push({ id, orderNumber, isPaid: true });

    const send = async (event: string, path: string, body: object) => {
      const reply = await answerTo(customer, path, body);
      const answered = taken(path, reply);
      acknowledged(id, event, reply);
      return answered;
    };
    await send("VariantAdded", `/api/orders/${id}/variants`, variantBodyOf(person, wish));
    const asked = { amount: wish.totalPence / 100, orderId: id };
    const { clientSecret } = intent.parse(
      await send("PaymentRequested", "/api/create-payment-intent", asked),
    );
    acknowledged(id, "PaymentConfirmed", await paid(customer, id, clientSecret));
    await send("SubmissionRequested", `/api/orders/${id}/submit`, {});
  }

  /**
   * Pays until the product has the money: the sandbox of the card provider keeps its records in the Postgres that is
   * killed, and refuses a payment meanwhile.
   */
  async function paid(customer: Customer, id: string, clientSecret: string): Promise<Reply> {
    const path = `/api/orders/${id}/status`;
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
