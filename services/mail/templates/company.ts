/** Who writes. */
export type Company = {
  tradingName: string;
  supportEmail: string;
  /** On one line, without the name: `Nottingham, NG1, United Kingdom`. */
  postalAddress: string;
  /** Empty when there is none. */
  companyNumber: string;
};

/** The company number as a line of its own, where there is one. */
export const numberOf = ({ companyNumber }: Company): readonly string[] =>
  companyNumber === "" ? [] : [`Company number ${companyNumber}`];

/** What every mail about an order holds; personal is the name alone. */
export type Occasion = {
  /** As the customer gave it: `Dr Siân Ŵyn`. */
  name: string;
  orderNumber: string;
  /** Opens the order for whoever holds the mail, until it expires. */
  trackingLink: string;
};
