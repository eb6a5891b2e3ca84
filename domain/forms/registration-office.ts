import type { RegistrationLocation } from "./options.ts";

/** The GRO's telephone line. Source: GRO, notes on applications, August 2022. */
export const groPhone = { number: "0300 123 1837", link: "tel:+443001231837", checkedIn: "2022-08" } as const;

/** The office for an order that we cannot accept. */
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

/** The office that holds the records instead of the GRO for England and Wales; undefined if the GRO has them. */
export const otherOfficeFor = (location: RegistrationLocation): RegistrationOffice | undefined =>
  offices[location];

/** For the birth certificate of an adopted person who applies for their own: from anyone else the GRO rejects it. */
const groByPhone: RegistrationOffice = {
  name: `General Register Office, ${groPhone.number}`,
  link: groPhone.link,
  advice: `If you were adopted and want the certificate of your own birth, the General Register Office handles this by phone: please call ${groPhone.number}.`,
};

/** The office that an adopted person phones for their own birth certificate; undefined when it can be ordered here. */
export const phoneFor = (birth: {
  adopted?: boolean;
  applyingForOwn?: boolean;
}): RegistrationOffice | undefined => (birth.adopted && birth.applyingForOwn ? groByPhone : undefined);
