import { z } from "zod";
import { certificateType } from "../order/vocabulary.ts";

/** Contents of the vault's records, validated when sealed. */

/** The contact record of an order: version 1. */
export const contactRecord = z.object({
  companyName: z.string(),
  email: z.string(),
  contactFullName: z.string(),
  contactAddress: z.object({
    Address1: z.string(),
    Address2: z.string(),
    Town: z.string(),
    County: z.string(),
    Country: z.string(),
    PostCode: z.string(),
  }),
  contactPhone: z.object({ Daytime: z.string(), Evening: z.string() }),
});
export type ContactRecord = z.output<typeof contactRecord>;

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

/** A staff note about an order: version 1. */
export const noteRecord = z.object({ text: z.string() });

/** The signature record of an order: version 1. */
export const signatureRecord = z.object({ signature: z.string() });
