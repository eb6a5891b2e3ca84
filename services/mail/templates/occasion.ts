/** What every mail about an order holds; personal is the name alone. */
export type Occasion = {
  /** As the customer gave it: `Dr Siân Ŵyn`. */
  name: string;
  orderNumber: string;
  /** Opens the order for whoever holds the mail, until it expires. */
  trackingLink: string;
};
