import { z } from "zod";
import { certificateType } from "../order/vocabulary.ts";

/** Contents of the vault's records, validated when sealed. */

const postalAddress = z.object({
  Address1: z.string(),
  Address2: z.string(),
  Town: z.string(),
  County: z.string(),
  Country: z.string(),
  PostCode: z.string(),
});

/** The contact record of an order: version 1. */
export const contactRecord = z.object({
  companyName: z.string(),
  email: z.string(),
  contactFullName: z.string(),
  /** The end of the full name that is the last name: it may have several words. Absent: not told apart. */
  contactLastName: z.string().exactOptional(),
  contactAddress: postalAddress,
  contactPhone: z.object({ Daytime: z.string(), Evening: z.string() }),
  /** The recipient of the certificate, if not the customer; else absent. */
  recipient: z.object({ fullName: z.string(), address: postalAddress }).exactOptional(),
  /** The customer's own reference. Absent: none. */
  customerReference: z.string().exactOptional(),
});
export type ContactRecord = z.output<typeof contactRecord>;
export type Recipient = NonNullable<ContactRecord["recipient"]>;

/** The part of the contact record that goes to the GRO. */
export const groContact = contactRecord.omit({ customerReference: true, contactLastName: true });

/** Contact details as given, where null and empty stand for what is not given. */
type GivenContact = Omit<ContactRecord, "recipient" | "customerReference" | "contactLastName"> & {
  readonly contactLastName?: string | undefined;
  readonly recipient?: Recipient | null | undefined;
  readonly customerReference?: string | undefined;
};

/** The record of contact details, without what is not given. */
export const contactGiven = ({
  recipient,
  customerReference,
  contactLastName,
  ...contact
}: GivenContact): ContactRecord => ({
  ...contact,
  ...(contactLastName && { contactLastName }),
  ...(recipient && { recipient }),
  ...(customerReference && { customerReference }),
});

/** An address as it is written on an envelope, without empty lines. */
export const addressLines = (address: ContactRecord["contactAddress"]): string =>
  [address.Address1, address.Address2, address.Town, address.County, address.PostCode, address.Country]
    .filter((line) => line !== "")
    .join("\n");

/** The application record of an order: version 1. Its details go to the GRO as they are. */
export const applicationRecord = z
  .object({
    certificateType: z.string(),
    certificateDetails: z.record(z.string(), z.json()),
    eventDetails: z.record(z.string(), z.json()),
    gro: z.string(),
  })
  .catchall(z.json());
export type ApplicationRecord = z.output<typeof applicationRecord>;

/** The part of an application record that its form accepts again: see variant-request.ts. */
export const enteredApplication = z.object({
  certificateType,
  customerFirstName: z.string(),
  customerLastName: z.string(),
  gender: z.string(),
  eventDetails: z.record(z.string(), z.unknown()),
  certificateDetails: z.record(z.string(), z.unknown()),
  gro: z.string(),
  applyingForOwn: z.boolean(),
  adopted: z.boolean(),
});

/** The reference of a bank transfer by staff: version 1. */
export const bankTransferRecord = z.object({ reference: z.string() });

/** The record of the GRO's own reference for an order: version 1. */
export const groReferenceRecord = z.object({ groOrderReference: z.string() });

export const mostQuestionCharacters = 2000;

/** The text of a question of the GRO: version 1. */
export const questionRecord = z.object({ text: z.string() });

/** A staff note about an order: version 1. */
export const noteRecord = z.object({ text: z.string() });

/** The signature record of an order: version 1. */
export const signatureRecord = z.object({ signature: z.string() });
