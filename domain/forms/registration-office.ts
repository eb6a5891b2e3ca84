import type { RegistrationLocation } from "./options.ts";

/** Who holds the records that the GRO for England and Wales does not. */
export interface RegistrationOffice {
  readonly name: string;
  readonly link: string;
  /** One sentence for the customer; the draft is kept and no money taken. */
  readonly advice: string;
}

const offices: Readonly<Record<RegistrationLocation, RegistrationOffice | undefined>> = {
  "England or Wales": undefined,
  Scotland: {
    name: "National Records of Scotland",
    link: "https://www.nrscotland.gov.uk/",
    advice:
      "Records of events registered in Scotland are kept by National Records of Scotland: please order there.",
  },
  "Northern Ireland": {
    name: "General Register Office for Northern Ireland (GRONI)",
    link: "https://www.nidirect.gov.uk/groni",
    advice: "Records of events registered in Northern Ireland are kept by GRONI: please order there.",
  },
};

/** The office to turn to instead, or undefined when the certificate can be ordered here. */
export const otherOfficeFor = (location: RegistrationLocation): RegistrationOffice | undefined =>
  offices[location];

/** What an adopted person who orders their own birth certificate is told. */
export const adoptedPersonAdvice =
  "If you were adopted and want the certificate of your own birth, the General Register Office handles this by phone: please call 0300 123 1837.";

/** True when the customer should hear `adoptedPersonAdvice`. */
export const shouldPhoneTheGro = (answers: { adopted: boolean; applyingForOwn: boolean }): boolean =>
  answers.adopted && answers.applyingForOwn;
