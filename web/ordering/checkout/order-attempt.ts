import * as z from "zod/mini";

/**
 * One attempt to order exactly what the draft says. Its key makes every repeat of a call, by a double click, a retry or
 * a reload, answer the first result; what has been reached so far survives in the tab.
 */
const orderAttemptSchema = z.object({
  /** The idempotency key of every call of this attempt. */
  key: z.string(),
  /** The label that the server gave the order: REF-{year}-{number below 1000}. */
  reference: z.nullable(z.string()),
  /** What was asked for, as text: another draft is another attempt. */
  asked: z.string(),
  orderId: z.nullable(z.string()),
  orderNumber: z.nullable(z.string()),
  clientSecret: z.nullable(z.string()),
  /** The provider said that the card was charged. */
  paid: z.boolean(),
  /** An order made of an earlier draft, still to be cancelled. */
  replaces: z.nullable(z.string()),
});

export type OrderAttempt = z.infer<typeof orderAttemptSchema>;

/** What the attempt's store needs of `sessionStorage`. */
export type AttemptStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

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
      // Not JSON: something else wrote there. A new attempt replaces it.
      return null;
    }
  },
  write(attempt: OrderAttempt): OrderAttempt {
    storage.setItem(storageKey, JSON.stringify(attempt));
    return attempt;
  },
  forget: (): void => storage.removeItem(storageKey),
});

/** The order that a new attempt takes the place of. One that is paid stands beside it. */
const unpaidOrderOf = (known: OrderAttempt | null): string | null =>
  known === null || known.paid ? null : (known.orderId ?? known.replaces);

/** An attempt whose order can no longer be paid: whatever is asked next is another attempt, which replaces it. */
export const givenUp = (attempt: OrderAttempt): OrderAttempt => ({ ...attempt, asked: "" });

/** The attempt that asks for this: the one under way when it asked the same, else a new one that replaces it. */
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
