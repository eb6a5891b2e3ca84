/** Who writes. */
export type Company = {
  tradingName: string;
  supportEmail: string;
  /** On one line, without the name: `Nottingham, NG1, United Kingdom`. */
  postalAddress: string;
};

/** Who writes, as far as it is configured. */
export type KnownCompany = Omit<Company, "postalAddress"> & Partial<Pick<Company, "postalAddress">>;

/** The same with the address of the office, unless another is given. */
export const companyFrom = (known: KnownCompany): Company => ({
  postalAddress: "Nottingham, NG1, United Kingdom",
  ...known,
});
