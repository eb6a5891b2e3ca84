/** Content of every mail about an order; only the name is personal. */
export type Occasion = {
  /** As the customer gave it: `Dr Siân Ŵyn`. */
  name: string;
  orderNumber: string;
  /** Opens the order without signing in, until it expires. */
  trackingLink: string;
};
