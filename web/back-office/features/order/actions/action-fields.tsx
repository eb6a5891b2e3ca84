import type { OrderPage, Payment } from "../../../../../contract/staff-orders/order-page.ts";
import type { RevealedContact } from "../../../../../contract/staff-orders/reveals.ts";
import { now } from "../../../../ui/dates.ts";
import { DenseArea, DenseField, DenseSelect } from "../../../ui/dense-field.tsx";
import { poundsOf } from "../../../ui/values.tsx";
import { isForTransfer } from "./action-bodies.ts";

/** What an action's fields may show: the order, and the contact data while it is revealed. */
export interface FieldsProps {
  readonly order: OrderPage;
  readonly contact: RevealedContact["contact"] | null;
}

/** `2026-11-21T14:32`, in the clock of whoever looks, for a field of that kind. */
function localMinute(at: Date): string {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** The GRO's reference, and when it was given the application. */
export function SubmissionFields() {
  const latest = localMinute(now());
  return (
    <>
      <DenseField
        label="GRO order reference"
        hint="Sealed with the contact data. Leave it empty if the GRO gave none."
        name="groOrderReference"
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
      />
      <DenseField
        label="Submitted at"
        type="datetime-local"
        name="submittedAt"
        required
        max={latest}
        defaultValue={latest}
      />
    </>
  );
}

export function OutcomeFields() {
  return (
    <DenseSelect
      label="What the GRO says"
      name="outcome"
      required
      placeholder="Choose one"
      options={[
        { value: "queried", words: "It has a question" },
        { value: "notFound", words: "It did not find the record" },
      ]}
    />
  );
}

export function FailFields() {
  return (
    <>
      <DenseSelect
        label="Whose cause it is"
        hint="Ours is refunded in full, by itself."
        name="cause"
        required
        placeholder="Choose one"
        options={[
          { value: "ours", words: "Ours" },
          { value: "customer", words: "The customer’s" },
          { value: "gro", words: "The GRO’s" },
        ]}
      />
      <DenseSelect
        label="Why it failed"
        name="failure"
        required
        placeholder="Choose one"
        options={[
          { value: "submissionFailed", words: "It could not be submitted" },
          { value: "recordNotFound", words: "The GRO did not find the record" },
          { value: "detailsInsufficient", words: "The details do not suffice" },
          { value: "notEligible", words: "The applicant may not have this certificate" },
          { value: "serviceError", words: "An error of our service" },
        ]}
      />
    </>
  );
}

/** Which payment, and how much of it. */
export function RefundFields({ order }: FieldsProps) {
  return <AmountFields payments={order.payments.filter(({ refundablePence }) => refundablePence > 0)} />;
}

/** Which payment that no card takes, how much of it, and the transfer's reference where that may still be kept. */
export function BankTransferFields({ order }: FieldsProps) {
  return (
    <>
      <AmountFields payments={order.payments.filter(isForTransfer)} />
      {order.personal.contact.state === "sealed" ? (
        <DenseField
          label="Transfer reference"
          hint="Give the bank the same one. It is sealed with the contact data and destroyed with it. Never enter an account number or sort code."
          name="reference"
          required
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
        />
      ) : (
        <p className="text-13 text-muted">
          The contact data has been destroyed, so no reference is kept. Keep it with your bank’s records.
        </p>
      )}
    </>
  );
}

/** Which bank transfer came back. */
export function TransferReturnFields({ order }: FieldsProps) {
  const made = order.payments
    .flatMap(({ refunds }) => refunds)
    .filter(({ way, status }) => way === "bankTransfer" && status === "issued");
  return (
    <DenseSelect
      label="Bank transfer"
      name="transfer"
      options={made.map(({ number, amountPence }) => ({
        value: String(number),
        words: `Bank transfer ${number}, ${poundsOf(amountPence)}`,
      }))}
    />
  );
}

/** Which open dispute, and how it ended. */
export function DisputeOutcomeFields({ order }: FieldsProps) {
  const open = order.payments.flatMap(({ disputes }) => disputes).filter(({ outcome }) => outcome === null);
  return (
    <>
      <DenseSelect
        label="Dispute"
        name="disputeId"
        options={open.map(({ disputeId, amountPence }) => ({
          value: disputeId,
          words: `${poundsOf(amountPence)}, ${disputeId}`,
        }))}
      />
      <DenseSelect
        label="How it ended"
        name="outcome"
        required
        placeholder="Choose one"
        options={[
          { value: "won", words: "Won: we keep the money" },
          { value: "lost", words: "Lost: the cardholder has the money" },
          { value: "warningClosed", words: "Inquiry closed: no money was taken" },
        ]}
      />
    </>
  );
}

function AmountFields({ payments }: { payments: readonly Payment[] }) {
  const most = payments[0]?.refundablePence ?? 0;
  return (
    <>
      {payments.length > 1 && (
        <DenseSelect
          label="Payment"
          name="intentId"
          options={payments.map(({ intentId, refundablePence }) => ({
            value: intentId,
            words: `${intentId}, ${poundsOf(refundablePence)} left`,
          }))}
        />
      )}
      <DenseField
        label="Amount in pounds"
        hint={`In full: ${poundsOf(most)}. Change it to give back a part.`}
        name="amount"
        required
        inputMode="decimal"
        autoComplete="off"
        pattern="£?\d{1,4}(\.\d{1,2})?"
        defaultValue={(most / 100).toFixed(2)}
      />
    </>
  );
}

/** Which of the open proposals. */
export function ProposalFields({ order }: FieldsProps) {
  const open = order.proposals.filter(({ status }) => status === "open");
  return (
    <DenseSelect
      label="Proposal"
      name="proposal"
      options={open.map(({ proposal, words, proposedBy }) => ({
        value: String(proposal),
        words: `${words}, proposed by ${proposedBy.name}`,
      }))}
    />
  );
}

export function NoteFields() {
  return <DenseArea label="Note" name="note" rows={5} required maxLength={2000} />;
}

const empty = "Leave empty what stays as it is.";

/** Who is written to. Filled in where it is revealed; otherwise only what is typed is changed. */
export function ContactFields({ contact }: FieldsProps) {
  const address = contact?.contactAddress;
  return (
    <>
      {contact === null && <p className="text-13 text-muted">{empty} The address changes as a whole.</p>}
      <DenseField label="Email" name="email" type="email" autoComplete="off" defaultValue={contact?.email} />
      <DenseField
        label="Full name, with title"
        name="contactFullName"
        autoComplete="off"
        defaultValue={contact?.contactFullName}
      />
      <fieldset className="grid gap-3 sm:grid-cols-2">
        <legend className="mb-1 text-14 font-[500]">Postal address</legend>
        <DenseField
          label="Address line 1"
          name="Address1"
          autoComplete="off"
          defaultValue={address?.Address1}
        />
        <DenseField
          label="Address line 2"
          name="Address2"
          autoComplete="off"
          defaultValue={address?.Address2}
        />
        <DenseField label="Town" name="Town" autoComplete="off" defaultValue={address?.Town} />
        <DenseField label="County" name="County" autoComplete="off" defaultValue={address?.County} />
        <DenseField label="Postcode" name="PostCode" autoComplete="off" defaultValue={address?.PostCode} />
      </fieldset>
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
    </>
  );
}
