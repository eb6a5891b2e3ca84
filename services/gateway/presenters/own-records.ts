import { z } from "zod";
import type { ContactRecord } from "../../../domain/forms/sealed-records.ts";

/** The application record as its form needs it back: see variant-request.ts, which made it. */
export const ownApplication = z.object({
  certificateType: z.string(),
  customerFirstName: z.string(),
  customerLastName: z.string(),
  gender: z.string(),
  eventDetails: z.record(z.string(), z.json()),
  certificateDetails: z.record(z.string(), z.json()),
  gro: z.string(),
  applyingForOwn: z.boolean(),
  adopted: z.boolean(),
});

/** GET /api/orders/{id}/application. */
export const presentApplication = (own: z.output<typeof ownApplication>) => ({
  certificateType: own.certificateType,
  customerFirstName: own.customerFirstName,
  customerLastName: own.customerLastName,
  gender: own.gender,
  eventDetails: own.eventDetails,
  certificateDetails: own.certificateDetails,
  gro: own.gro,
  applyingForOwn: own.applyingForOwn,
  adopted: own.adopted,
});

/** GET /api/orders/{id}/contact. */
export const presentContact = ({ contactAddress, contactPhone, ...contact }: ContactRecord) => ({
  companyName: contact.companyName,
  email: contact.email,
  contactFullName: contact.contactFullName,
  contactAddress: {
    Address1: contactAddress.Address1,
    Address2: contactAddress.Address2,
    Town: contactAddress.Town,
    County: contactAddress.County,
    Country: contactAddress.Country,
    PostCode: contactAddress.PostCode,
  },
  contactPhone: { Daytime: contactPhone.Daytime, Evening: contactPhone.Evening },
});
