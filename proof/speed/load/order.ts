import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { OperatorError } from "../../../infra/process/operator-error.ts";
import {
  orderBodyOf,
  type Person,
  personOf,
  variantBodyOf,
  type Wish,
} from "../../../services/operations/seed/seeded-requests.ts";
import type { LoadFigures } from "./call-figures.ts";
import { CallFailed, type Customer, createCustomer } from "./customer.ts";
import type { LoadTarget } from "./target.ts";

const opened = z.object({ id: z.string(), orderNumber: z.string() });
const checkoutOpened = z.object({ id: z.string() });
const intent = z.object({ clientSecret: z.string() });
const anything = z.unknown();
const paid = z.object({ paymentIntent: z.object({ status: z.literal("succeeded") }) });

/** Where the target's sandbox accepts cards. */
export type CardDesk = { readonly origin: string; readonly publishableKey: string };

const cardConfig = z.object({ publishableKey: z.string() });

/**
 * Finds the card page of the target's sandbox.
 * @throws OperatorError when nothing answers there, or it has no sandbox: load is never paid with a real card
 */
export async function findCardDesk(url: string): Promise<CardDesk> {
  const config = cardConfig.safeParse(await (await ask(url, "/api/config")).json().catch(() => undefined));
  const script = await ask(url, "/sandbox/stripe.js");
  const [origin] = /https?:\/\/[\w.-]+:\d+/.exec(await script.text()) ?? [];
  if (!script.ok || origin === undefined || !config.data?.publishableKey.startsWith("pk_sandbox_"))
    throw new OperatorError(
      `${url} has no sandbox that accepts cards: load is only paid there. Give the --url of an installation without STRIPE_SECRET_KEY.`,
    );
  return {
    origin: origin.replace("//localhost:", "//127.0.0.1:"),
    publishableKey: config.data.publishableKey,
  };
}

async function ask(url: string, path: string): Promise<Response> {
  try {
    return await fetch(`${url}${path}`);
  } catch (cause) {
    throw new OperatorError(
      `Nothing answers at ${url}: start the product there, or omit --url to let load start one.`,
      {
        cause,
      },
    );
  }
}

type LoadParts = {
  readonly target: LoadTarget;
  readonly cards: CardDesk;
  readonly figures: LoadFigures;
  /** In [0, 1), the same for each seed. */
  readonly random: () => number;
  /** Lookups per customer, of their own or others' orders. */
  readonly lookups: number;
};

/** What each customer orders. */
export const wish: Wish = {
  certificateType: "Birth",
  serviceLevel: "standard",
  copies: 1,
  groReferenceKnown: false,
  totalPence: 4500,
};

/** The sandbox's card that is accepted without 3-D Secure. */
const acceptedCard = {
  number: "4242424242424242",
  expiryMonth: 12,
  expiryYear: 2090,
  securityCode: "123",
  returnUrl: null,
};

/** The wizard's two requests. */
type OrderBodies = { readonly order: object; readonly variant: object };

export const bodiesOf = (person: Person): OrderBodies => ({
  order: orderBodyOf(person, wish),
  variant: variantBodyOf(person, wish),
});

type PlacedOrder = {
  readonly url: string;
  readonly cards: CardDesk;
  readonly customer: Customer;
  readonly bodies: OrderBodies;
  /** By `performance.now()`. */
  readonly dueAt?: number;
};

/** The six calls of an order, from its creation to its submission. @returns its number */
export async function placeOrder({ url, cards, customer, bodies, dueAt }: PlacedOrder): Promise<string> {
  const { id, orderNumber } = await customer.post("create", `${url}/api/orders`, bodies.order, opened, dueAt);
  await customer.post("variant", `${url}/api/orders/${id}/variants`, bodies.variant, anything);
  const asked = { amount: wish.totalPence / 100, orderId: id };
  const { clientSecret } = await customer.post("intent", `${url}/api/create-payment-intent`, asked, intent);
  await pay(cards, customer, clientSecret);
  await customer.post("status", `${url}/api/orders/${id}/status`, { status: "Processing" }, anything);
  await customer.post("submit", `${url}/api/orders/${id}/submit`, {}, anything);
  return orderNumber;
}

type PlacedTogether = Omit<PlacedOrder, "bodies" | "dueAt"> & { readonly bodies: readonly OrderBodies[] };

/** The calls of several orders with one payment. */
export async function placeTogether({ url, cards, customer, bodies }: PlacedTogether): Promise<void> {
  const orderIds: string[] = [];
  for (const { order, variant } of bodies) {
    const { id } = await customer.post("create", `${url}/api/orders`, order, opened);
    await customer.post("variant", `${url}/api/orders/${id}/variants`, variant, anything);
    orderIds.push(id);
  }
  const checkout = await customer.post("checkout", `${url}/api/checkouts`, { orderIds }, checkoutOpened);
  const place = `${url}/api/checkouts/${checkout.id}`;
  const asked = { amount: (orderIds.length * wish.totalPence) / 100 };
  const { clientSecret } = await customer.post("intent", `${place}/payment-intent`, asked, intent);
  await pay(cards, customer, clientSecret);
  await customer.post("status", `${place}/status`, { status: "Processing" }, anything);
}

async function pay(cards: CardDesk, customer: Customer, clientSecret: string): Promise<void> {
  const payment = { ...acceptedCard, publishableKey: cards.publishableKey, clientSecret };
  await customer.post("pay (sandbox)", `${cards.origin}/confirm`, payment, paid);
}

/** Latest order numbers used for lookups, limited so that a long run stays small. */
const mostRemembered = 5_000;

/** Places orders, one customer each. `watching` resolves when all submitted orders are purged or timed out. */
export function createOrdering({ target, cards, figures, random, lookups }: LoadParts) {
  const numbers: string[] = [];
  const watching = new Set<Promise<void>>();
  let customers = 0;

  async function order(customer: Customer, nth: number, dueAt: number): Promise<void> {
    const { url } = target;
    const bodies = bodiesOf(personOf(random, nth));
    const orderNumber = await placeOrder({ url, cards, customer, bodies, dueAt });
    figures.took("whole order, to submit", performance.now() - dueAt);
    numbers.push(orderNumber);
    if (numbers.length > mostRemembered) numbers.shift();
    for (let nth = 0; nth < lookups; nth++) {
      const other = numbers[Math.floor(random() * numbers.length)] ?? orderNumber;
      await customer.post("lookup", `${url}/api/orders/lookup`, { orderNumber: other }, tracked);
    }
    const watch = watchPurge(figures, customer, url, orderNumber).finally(() => {
      watching.delete(watch);
      customer.leave();
    });
    watching.add(watch);
  }

  return {
    /** Resolves when the order was submitted, or failed and was counted. */
    async begin(_nth: number, dueAt: number): Promise<void> {
      const nth = customers++;
      const customer = createCustomer(figures, target.from(nth));
      try {
        await order(customer, nth, dueAt);
      } catch (error) {
        customer.leave();
        if (!(error instanceof CallFailed)) throw error;
      }
    },
    watching: async (): Promise<void> => {
      await Promise.all(watching);
    },
  };
}

/** The receipt in a lookup, once the application was purged. */
const tracked = z.object({
  receipt: z.object({ secondsAfterSubmission: z.number().nullable() }).nullable(),
});

/** When a customer first checks for the purge, and for how long: the promise is 180 s. */
const firstLookMs = 6_000;
const watchForMs = 200_000;
/**
 * Each check waits longer than the previous one, so that waiting customers do not become the load when the target falls
 * behind.
 */
const longer = 1.5;

/**
 * Looks up a submitted order until its receipt is there, and counts how long the data lived, or that it was not purged
 * in time.
 */
async function watchPurge(
  figures: LoadFigures,
  customer: Customer,
  url: string,
  orderNumber: string,
): Promise<void> {
  const submittedAt = performance.now();
  for (let waitMs = firstLookMs; performance.now() - submittedAt < watchForMs; waitMs *= longer) {
    await delay(waitMs);
    try {
      const asked = { orderNumber };
      const { receipt } = await customer.post("watch", `${url}/api/orders/lookup`, asked, tracked);
      if (!receipt) continue;
      const seconds = receipt.secondsAfterSubmission;
      if (seconds !== null) figures.took("accepted to purge, signed", seconds * 1000);
      return;
    } catch (error) {
      // It is counted; the next check may succeed.
      if (!(error instanceof CallFailed)) throw error;
    }
  }
  figures.failed("watch", `not purged within ${watchForMs / 1000} s`);
}
