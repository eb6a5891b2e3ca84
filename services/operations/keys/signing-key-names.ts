/** Keys that sign customers' cookies and links, with the days their signatures stay valid after rotation. */
export const signingKeyDays = {
  /** As long as an order's cookie and the links in its mails last. */
  "order-access": 180,
  /** Links to conversations do not expire. With the usual retention, the tickets of older links are mostly purged. */
  "ticket-links": 400,
} as const;

export type SigningKeyName = keyof typeof signingKeyDays;

export const isSigningKeyName = (name: string): name is SigningKeyName => Object.hasOwn(signingKeyDays, name);
