import { z } from "zod";
import { type ContactRecord, contactRecord } from "../../../domain/forms/sealed-records.ts";
import type { Presented } from "../presented.ts";

/** The application record as its form needs it back: see variant-request.ts, which made it. */
export const ownApplication = z
  .object({
    certificateType: z.string(),
    customerFirstName: z.string(),
    customerLastName: z.string(),
    gender: z.string(),
    eventDetails: z.record(z.string(), z.unknown()),
    certificateDetails: z.record(z.string(), z.unknown()),
    gro: z.string(),
    applyingForOwn: z.boolean(),
    adopted: z.boolean(),
  })
  .meta({ id: "OwnApplication", description: "The application as its form takes it back" });

/** Who is written to, as the order's form takes it back. */
export const ownContact = contactRecord.meta({ id: "OwnContact" });

/** GET /api/orders/{id}/application. */
export const presentApplication = (
  own: z.output<typeof ownApplication>,
): Presented<typeof ownApplication> => ({
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
export const presentContact = ({
  contactAddress,
  contactPhone,
  ...contact
}: ContactRecord): Presented<typeof ownContact> => ({
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
