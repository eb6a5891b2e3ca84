import { useState } from "react";
import type { RevealedContact } from "../../../../../contract/staff-orders/order-page.ts";
import { DenseField, DenseSelect } from "../../../ui/dense-field.tsx";
import type { FieldsProps } from "./action-fields.tsx";

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

interface AddressFieldsProps {
  readonly title: string;
  /** Comes before the names of the fields. */
  readonly prefix?: string;
  readonly known: RevealedContact["contact"]["contactAddress"] | undefined;
}

function AddressFields({ title, prefix = "", known }: AddressFieldsProps) {
  const lines = [
    ["Address line 1", "Address1"],
    ["Address line 2", "Address2"],
    ["Town", "Town"],
    ["County", "County"],
    ["Postcode", "PostCode"],
  ] as const;
  return (
    <fieldset className="grid gap-3 sm:grid-cols-2">
      <legend className="mb-1 text-14 font-[500]">{title}</legend>
      {lines.map(([label, name]) => (
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
