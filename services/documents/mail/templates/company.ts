export type Company = {
  tradingName: string;
  supportEmail: string;
  /** On one line, without the name: `Nottingham, NG1, United Kingdom`. */
  postalAddress: string;
  /** Empty if none. */
  companyNumber: string;
};

export const numberOf = ({ companyNumber }: Company): readonly string[] =>
  companyNumber === "" ? [] : [`Company number ${companyNumber}`];

/** Content of every mail about an order; only the name is personal. */
export type Occasion = {
  /** As the customer gave it: `Dr Siân Ŵyn`. */
  name: string;
  orderNumber: string;
  /** Opens the order without signing in, until it expires. */
  trackingLink: string;
};
