/** Who writes. */
export type Company = {
  tradingName: string;
  supportEmail: string;
  /** On one line: `Kith & Copy, Nottingham, NG1, United Kingdom`. */
  postalAddress: string;
};
