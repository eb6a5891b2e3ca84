/** Who writes. */
export type Company = {
  tradingName: string;
  supportEmail: string;
  /** On one line, without the name: `Nottingham, NG1, United Kingdom`. */
  postalAddress: string;
};
