import * as z from "zod/mini";

/** An order that was created. */
const createdOrder = z.object({
  orderId: z.string(),
  orderNumber: z.string(),
  /** Its label from the server: REF-{year}-{number below 1000}. */
  reference: z.string(),
});

/**
 * One attempt to order what the draft asks for, an order for each certificate. Its key makes every repeated call (double
 * click, retry, reload) return the first result; progress is kept in the tab.
 */
const orderAttemptSchema = z.object({
  key: z.string(),
  /** The request as text: a different draft is a different attempt. */
  asked: z.string(),
  /** In the sequence of the certificates. All but the last know theirs; the last may still be told. */
  orders: z.array(createdOrder),
  /** Where several orders are paid for together. */
  checkoutId: z.nullable(z.string()),
  clientSecret: z.nullable(z.string()),
  /** The provider reported that the card was charged. */
  paid: z.boolean(),
  /** Orders from an earlier draft, still to be cancelled. */
  replaces: z.array(z.string()),
});

export type OrderAttempt = z.infer<typeof orderAttemptSchema>;

/** As pages kept it that knew one order alone. */
const singleAttemptSchema = z.pipe(
  z.object({
    key: z.string(),
    reference: z.nullable(z.string()),
    asked: z.string(),
    orderId: z.nullable(z.string()),
    orderNumber: z.nullable(z.string()),
    clientSecret: z.nullable(z.string()),
    paid: z.boolean(),
    replaces: z.nullable(z.string()),
  }),
  z.transform(({ orderId, orderNumber, reference, replaces, ...attempt }): OrderAttempt => {
    const order = createdOrder.safeParse({ orderId, orderNumber, reference });
    return {
      ...attempt,
      orders: order.success ? [order.data] : [],
      checkoutId: null,
      replaces: replaces === null ? [] : [replaces],
    };
  }),
);

const storedAttempt = z.union([orderAttemptSchema, singleAttemptSchema]);

/** The idempotency key of the calls for the order of the certificate at a place. */
export const keyOf = ({ key }: OrderAttempt, place: number): string =>
  place === 0 ? key : `${key}-${place}`;

/** The part of `sessionStorage` used. */
type AttemptStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const storageKey = "order-attempt";

/** Keeps the attempt of this tab. */
export const createAttemptStore = (storage: AttemptStorage) => ({
  read(): OrderAttempt | null {
    const stored = storage.getItem(storageKey);
    if (stored === null) return null;
    try {
      const parsed = storedAttempt.safeParse(JSON.parse(stored));
      return parsed.success ? parsed.data : null;
    } catch {
      // Not JSON: written by something else. A new attempt replaces it.
      return null;
    }
  },
  write(attempt: OrderAttempt): OrderAttempt {
    storage.setItem(storageKey, JSON.stringify(attempt));
    return attempt;
  },
  forget: (): void => storage.removeItem(storageKey),
});

/** The orders that a new attempt replaces; paid ones are kept. */
const unpaidOrdersOf = (known: OrderAttempt | null): string[] =>
  known === null || known.paid ? [] : [...known.replaces, ...known.orders.map(({ orderId }) => orderId)];

/** Marks an attempt whose orders can no longer be paid: the next request is a new attempt, which replaces them. */
export const givenUp = (attempt: OrderAttempt): OrderAttempt => ({ ...attempt, asked: "" });

/** The attempt for this request: the current one if it is the same request, else a new one that replaces it. */
export function attemptFor(asked: string, known: OrderAttempt | null, key: string): OrderAttempt {
  if (known?.asked === asked) return known;
  return {
    key,
    asked,
    orders: [],
    checkoutId: null,
    clientSecret: null,
    paid: false,
    replaces: unpaidOrdersOf(known),
  };
}
