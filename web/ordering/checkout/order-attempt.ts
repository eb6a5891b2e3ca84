import * as z from "zod/mini";

/**
 * One attempt to place the draft's order. Its key makes every repeated call (double click, retry, reload) return the
 * first result; progress is kept in the tab.
 */
const orderAttemptSchema = z.object({
  /** The idempotency key of every call of this attempt. */
  key: z.string(),
  /** The order's label from the server: REF-{year}-{number below 1000}. */
  reference: z.nullable(z.string()),
  /** The request as text: a different draft is a different attempt. */
  asked: z.string(),
  orderId: z.nullable(z.string()),
  orderNumber: z.nullable(z.string()),
  clientSecret: z.nullable(z.string()),
  /** The provider reported that the card was charged. */
  paid: z.boolean(),
  /** An order from an earlier draft, still to be cancelled. */
  replaces: z.nullable(z.string()),
});

export type OrderAttempt = z.infer<typeof orderAttemptSchema>;

/** The part of `sessionStorage` used. */
type AttemptStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const storageKey = "order-attempt";

/** Keeps the attempt of this tab. */
export const createAttemptStore = (storage: AttemptStorage) => ({
  read(): OrderAttempt | null {
    const stored = storage.getItem(storageKey);
    if (stored === null) return null;
    try {
      const parsed = orderAttemptSchema.safeParse(JSON.parse(stored));
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

/** The order that a new attempt replaces; a paid one is kept. */
const unpaidOrderOf = (known: OrderAttempt | null): string | null =>
  known === null || known.paid ? null : (known.orderId ?? known.replaces);

/** Marks an attempt whose order can no longer be paid: the next request is a new attempt, which replaces it. */
export const givenUp = (attempt: OrderAttempt): OrderAttempt => ({ ...attempt, asked: "" });

/** The attempt for this request: the current one if it is the same request, else a new one that replaces it. */
export function attemptFor(asked: string, known: OrderAttempt | null, key: string): OrderAttempt {
  if (known?.asked === asked) return known;
  return {
    key,
    reference: null,
    asked,
    orderId: null,
    orderNumber: null,
    clientSecret: null,
    paid: false,
    replaces: unpaidOrderOf(known),
  };
}
