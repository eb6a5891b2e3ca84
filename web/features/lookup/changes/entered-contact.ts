import type { ContactChange, OwnContact } from "../../../../contract/orders/own-records.ts";
import { country, titles } from "../../../../domain/forms/options.ts";
import { contactAddressOf, contactPhoneOf, recipientOf } from "../../../../domain/forms/order-payload.ts";
import type { PersonalDetails } from "../../../../domain/forms/personal-details.ts";
import { applicantNamed } from "../../../ordering/checkout/application-payload.ts";
import type { PersonAnswers } from "../../../ordering/draft/draft.ts";

/** Your Details as entered. The record holds one full name, which stays the same if saved unchanged. */
export function enteredContact(contact: OwnContact): PersonAnswers {
  const { companyName, email, contactFullName, contactAddress: address, contactPhone: phone } = contact;
  const { recipient, customerReference = "" } = contact;
  const { customerFirstName, customerLastName } = applicantNamed(contactFullName);
  return {
    title: titles.find((title) => contactFullName.startsWith(`${title} `)) ?? "",
    firstName: customerFirstName,
    lastName: customerLastName,
    companyName,
    email,
    confirmEmail: email,
    address: {
      line1: address.Address1,
      line2: address.Address2,
      town: address.Town,
      county: address.County,
      postcode: address.PostCode,
      country,
    },
    phone: { daytime: phone.Daytime, evening: phone.Evening },
    recipient: {
      postTo: recipient ? "someone else" : "me",
      fullName: recipient?.fullName ?? "",
      line1: recipient?.address.Address1 ?? "",
      line2: recipient?.address.Address2 ?? "",
      town: recipient?.address.Town ?? "",
      county: recipient?.address.County ?? "",
      postcode: recipient?.address.PostCode ?? "",
    },
    customerReference,
  };
}

/** The correction to send. Once the GRO may have names and addresses, it leaves them out. */
export function contactChangeOf(details: PersonalDetails, parts: "all" | "reach"): ContactChange {
  const { email, customerReference } = details;
  const reach = { email, contactPhone: contactPhoneOf(details), customerReference };
  if (parts === "reach") return reach;
  return {
    ...reach,
    companyName: details.companyName,
    contactFullName: `${details.title} ${details.firstName} ${details.lastName}`,
    contactAddress: contactAddressOf(details),
    recipient: recipientOf(details),
  };
}
