import type { z } from "zod";
import type { ownApplication, ownContact } from "../../../contract/orders/own-records.ts";
import type { Presented } from "../../../contract/request.ts";
import type { ContactRecord } from "../../../domain/forms/sealed-records.ts";

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

export const presentContact = ({
  contactAddress,
  contactPhone,
  recipient,
  customerReference,
  ...contact
}: ContactRecord): Presented<typeof ownContact> => ({
  companyName: contact.companyName,
  email: contact.email,
  contactFullName: contact.contactFullName,
  contactAddress: presentAddress(contactAddress),
  contactPhone: { Daytime: contactPhone.Daytime, Evening: contactPhone.Evening },
  ...(recipient && {
    recipient: { fullName: recipient.fullName, address: presentAddress(recipient.address) },
  }),
  ...(customerReference && { customerReference }),
});

const presentAddress = (address: ContactRecord["contactAddress"]) => ({
  Address1: address.Address1,
  Address2: address.Address2,
  Town: address.Town,
  County: address.County,
  Country: address.Country,
  PostCode: address.PostCode,
});
