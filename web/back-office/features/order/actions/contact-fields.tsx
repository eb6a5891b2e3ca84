import { useState } from "react";
import type { RevealedContact } from "../../../../../contract/staff-orders/order-page.ts";
import { DenseField, DenseSelect } from "../../../ui/dense-field.tsx";
import { type FieldsProps, text } from "./action-fields.tsx";

/** Contact fields, filled in if revealed; otherwise blank means unchanged. */
export function ContactFields({ contact }: FieldsProps) {
  return (
    <>
      {contact === null && (
        <p className="text-13 text-muted">
          Leave a field blank to keep it. To change the address, enter all of it.
        </p>
      )}
      <DenseField label="Email" name="email" type="email" autoComplete="off" defaultValue={contact?.email} />
      <DenseField
        label="Full name, with title"
        name="contactFullName"
        autoComplete="off"
        defaultValue={contact?.contactFullName}
      />
      <DenseField
        label="Last name"
        hint="The end of the full name, if it has several words: van der Berg."
        name="contactLastName"
        autoComplete="off"
        defaultValue={contact?.contactLastName}
      />
      <AddressFields title="Postal address" known={contact?.contactAddress} />
      <RecipientFields contact={contact} />
      <div className="grid gap-3 sm:grid-cols-2">
        <DenseField
          label="Daytime phone"
          name="Daytime"
          autoComplete="off"
          defaultValue={contact?.contactPhone.Daytime}
        />
        <DenseField
          label="Evening phone"
          name="Evening"
          autoComplete="off"
          defaultValue={contact?.contactPhone.Evening}
        />
      </div>
      <DenseField
        label="Customer’s own reference"
        name="customerReference"
        maxLength={40}
        autoComplete="off"
        spellCheck={false}
        defaultValue={contact?.customerReference}
      />
    </>
  );
}

const addressLines = [
  ["Address line 1", "Address1"],
  ["Address line 2", "Address2"],
  ["Town", "Town"],
  ["County", "County"],
  ["Postcode", "PostCode"],
] as const;
const addressParts = addressLines.map(([, part]) => part);

interface AddressFieldsProps {
  readonly title: string;
  /** Comes before the names of the fields. */
  readonly prefix?: string;
  readonly known: RevealedContact["contact"]["contactAddress"] | undefined;
}

function AddressFields({ title, prefix = "", known }: AddressFieldsProps) {
  return (
    <fieldset className="grid gap-3 sm:grid-cols-2">
      <legend className="mb-1 text-14 font-[500]">{title}</legend>
      {addressLines.map(([label, name]) => (
        <DenseField
          key={name}
          label={label}
          name={`${prefix}${name}`}
          autoComplete="off"
          defaultValue={known?.[name]}
        />
      ))}
    </fieldset>
  );
}

/** To whom the certificate is posted, with the name and address of another person. */
function RecipientFields({ contact }: Pick<FieldsProps, "contact">) {
  const known = contact?.recipient;
  const [postTo, setPostTo] = useState(contact === null ? "" : known ? "someone else" : "me");
  return (
    <>
      <DenseSelect
        label="Post the certificate to"
        name="postTo"
        value={postTo}
        onChange={(event) => setPostTo(event.target.value)}
        options={[
          ...(contact === null ? [{ value: "", words: "As it is now" }] : []),
          { value: "me", words: "The customer" },
          { value: "someone else", words: "Someone else" },
        ]}
      />
      {postTo === "someone else" && (
        <>
          <DenseField
            label="Recipient’s full name"
            name="recipientFullName"
            required
            autoComplete="off"
            defaultValue={known?.fullName}
          />
          <AddressFields title="Recipient’s address" prefix="recipient" known={known?.address} />
        </>
      )}
    </>
  );
}

const addressIn = (fields: FormData, prefix = "") =>
  Object.fromEntries(addressParts.map((part) => [part, text(fields, `${prefix}${part}`)]));

/** Another person to post to, null for the customer, or undefined for no change. */
function recipientIn(fields: FormData, known: RevealedContact["contact"] | null) {
  const postTo = text(fields, "postTo");
  if (postTo === "me") return known === null || known.recipient ? null : undefined;
  if (postTo === "") return undefined;
  const fullName = text(fields, "recipientFullName");
  const address = addressIn(fields, "recipient");
  const isKnown =
    known?.recipient?.fullName === fullName &&
    addressParts.every((part) => address[part] === known.recipient?.address[part]);
  return isKnown ? undefined : { fullName, address: { ...address, Country: "United Kingdom" } };
}

/** The customer's own reference; while not revealed, blank means unchanged. */
function referenceIn(fields: FormData, known: RevealedContact["contact"] | null): string | undefined {
  const typed = text(fields, "customerReference");
  return typed === (known?.customerReference ?? "") ? undefined : typed;
}

/** The name, with the last name if that was typed; undefined for no change. */
function nameIn(fields: FormData, known: RevealedContact["contact"] | null) {
  const [contactFullName, contactLastName] = [
    text(fields, "contactFullName"),
    text(fields, "contactLastName"),
  ];
  const isKnown = (typed: string, before = "") => typed === "" || typed === before;
  if (isKnown(contactFullName, known?.contactFullName) && isKnown(contactLastName, known?.contactLastName))
    return undefined;
  return { contactFullName, ...(contactLastName !== "" && { contactLastName }) };
}

/** Both phones, or while not revealed only those that were typed; undefined for no change. */
function phonesIn(fields: FormData, known: RevealedContact["contact"] | null) {
  const phones = { Daytime: text(fields, "Daytime"), Evening: text(fields, "Evening") };
  const before = known?.contactPhone ?? { Daytime: "", Evening: "" };
  if (phones.Daytime === before.Daytime && phones.Evening === before.Evening) return undefined;
  if (known) return phones;
  return Object.fromEntries(Object.entries(phones).filter(([, typed]) => typed !== ""));
}

/** Changed fields only; blank means unchanged. Name and addresses change as a whole. */
export function contactBody(fields: FormData, known: RevealedContact["contact"] | null) {
  const email = text(fields, "email");
  const address = addressIn(fields);
  const contactPhone = phonesIn(fields, known);
  const recipient = recipientIn(fields, known);
  const customerReference = referenceIn(fields, known);
  const addressChanged = addressParts.some((part) => address[part] !== (known?.contactAddress[part] ?? ""));
  return {
    contact: {
      ...(email !== "" && email !== known?.email && { email }),
      ...nameIn(fields, known),
      ...(addressChanged && { contactAddress: { ...address, Country: "United Kingdom" } }),
      ...(contactPhone && { contactPhone }),
      ...(recipient !== undefined && { recipient }),
      ...(customerReference !== undefined && { customerReference }),
    },
  };
}
