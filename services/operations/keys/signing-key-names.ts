/** Keys that sign what customers hold, and for how many days what they signed still counts once a newer one was made. */
export const signingKeyDays = {
  /** As long as an order's cookie and the links in its mails last. */
  "order-access": 180,
  /** Links to conversations have no end of their own. With the usual retention the tickets of older ones are mostly destroyed. */
  "ticket-links": 400,
} as const;

export type SigningKeyName = keyof typeof signingKeyDays;

/** Whether there is such a key. */
export const isSigningKeyName = (name: string): name is SigningKeyName => Object.hasOwn(signingKeyDays, name);
