import { useState } from "react";
import type { OrderPage, Payment, RevealedContact } from "../../../../../contract/staff-orders/order-page.ts";
import { mostQuestionCharacters } from "../../../../../domain/forms/sealed-records.ts";
import { penceOf } from "../../../../../domain/pricing/money.ts";
import { now } from "../../../../ui/dates.ts";
import { DenseArea, DenseField, DenseSelect } from "../../../ui/dense-field.tsx";
import { poundsOf } from "../../../ui/values.tsx";

// The fields of each dialog, and the request body made from them.

/** The order, and its contact data while revealed. */
export interface FieldsProps {
  readonly order: OrderPage;
  readonly contact: RevealedContact["contact"] | null;
}

export const text = (fields: FormData, name: string): string => {
  const value = fields.get(name);
  return typeof value === "string" ? value.trim() : "";
};

/** `2026-11-21T14:32` in the browser's time zone, for a `datetime-local` field. */
function localMinute(at: Date): string {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

export function SubmissionFields() {
  const latest = localMinute(now());
  return (
    <>
      <DenseField
        label="GRO order reference"
        hint="Sealed with the contact data. Leave blank if the GRO gave none."
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

export const submissionBody = (fields: FormData) => ({
  groOrderReference: text(fields, "groOrderReference"),
  submittedAt: momentIn(text(fields, "submittedAt")),
});

/** Local time as entered, in UTC. Invalid text passes through for the server to reject. */
function momentIn(typed: string): string {
  const at = new Date(typed);
  return Number.isNaN(at.getTime()) ? typed : at.toISOString();
}

export function OutcomeFields() {
  const [outcome, setOutcome] = useState("");
  return (
    <>
      <DenseSelect
        label="GRO’s answer"
        name="outcome"
        required
        placeholder="Choose…"
        onChange={({ currentTarget }) => setOutcome(currentTarget.value)}
        options={[
          { value: "queried", words: "Question about the application" },
          { value: "notFound", words: "Record not found" },
        ]}
      />
      {outcome === "queried" && (
        <DenseArea
          label="What the GRO asks"
          hint="The customer sees exactly these words on the order’s page. The text is sealed, and destroyed once answered. It replaces any earlier text."
          name="question"
          rows={5}
          required
          maxLength={mostQuestionCharacters}
        />
      )}
    </>
  );
}

export const outcomeBody = (fields: FormData) => ({
  outcome: text(fields, "outcome"),
  question: text(fields, "question"),
});

export function FailFields() {
  return (
    <>
      <DenseSelect
        label="Who caused it"
        hint="If we caused it, or nothing was submitted, the order is refunded in full automatically."
        name="cause"
        required
        placeholder="Choose…"
        options={[
          { value: "ours", words: "We did" },
          { value: "customer", words: "The customer" },
          { value: "gro", words: "The GRO" },
        ]}
      />
      <DenseSelect
        label="Why the order failed"
        name="failure"
        required
        placeholder="Choose…"
        options={[
          { value: "submissionFailed", words: "It could not be submitted" },
          { value: "recordNotFound", words: "The GRO did not find the record" },
          { value: "detailsInsufficient", words: "The details are insufficient" },
          { value: "notEligible", words: "The applicant is not entitled to this certificate" },
          { value: "serviceError", words: "Our error" },
        ]}
      />
    </>
  );
}

export const failBody = (fields: FormData) => ({
  cause: text(fields, "cause"),
  failure: text(fields, "failure"),
});

const amountPattern = String.raw`£?\d{1,4}(\.\d{1,2})?`;

/** Of several payments, none is suggested in full: the amount would be another one's once another is chosen. */
export function AmountFields({ payments }: { payments: readonly Payment[] }) {
  const [only] = payments.length === 1 ? payments : [];
  return (
    <>
      {!only && (
        <DenseSelect
          label="Payment"
          name="intentId"
          options={payments.map(({ intentId, refundablePence }) => ({
            value: intentId,
            words: `${intentId}, ${poundsOf(refundablePence)} refundable`,
          }))}
        />
      )}
      <DenseField
        label="Amount in pounds"
        hint={
          only
            ? `Full refund: ${poundsOf(only.refundablePence)}. Enter less for a partial refund.`
            : "At most what is refundable of the payment."
        }
        name="amount"
        required
        inputMode="decimal"
        autoComplete="off"
        pattern={amountPattern}
        defaultValue={only && (only.refundablePence / 100).toFixed(2)}
      />
    </>
  );
}

const amountBody = (fields: FormData, payment: Payment | undefined) => ({
  intentId: text(fields, "intentId") || (payment?.intentId ?? ""),
  amountPence: penceIn(fields, "amount"),
});

/** An invalid amount becomes 0, which the server rejects. */
function penceIn(fields: FormData, name: string): number {
  const pounds = Number(text(fields, name).replace(/^£/, "") || Number.NaN);
  return Number.isNaN(pounds) ? 0 : (penceOf(pounds) ?? 0);
}

/** An amount for each order of the payment that has something left. */
export function AssignFields({ order: { unassignedRefunds, orderedTogether } }: FieldsProps) {
  const [first, ...others] = unassignedRefunds;
  const left = (orderedTogether?.orders ?? []).filter((one) => one.paidPence > one.wentBackPence);
  return (
    <>
      {others.length === 0 ? (
        <p>Refunded at the provider: {poundsOf(first?.amountPence ?? 0)}</p>
      ) : (
        <DenseSelect
          label="Refund"
          name="providerRefundId"
          options={unassignedRefunds.map(({ providerRefundId, amountPence }) => ({
            value: providerRefundId,
            words: `${providerRefundId}, ${poundsOf(amountPence)}`,
          }))}
        />
      )}
      <p className="text-13 text-muted">
        The amounts must add up to the refund. Leave an order blank if none of it is for that order.
      </p>
      {left.map((one) => (
        <DenseField
          key={one.id}
          label={`${one.orderNumber}, ${one.certificateType}, in pounds`}
          hint={`At most ${poundsOf(one.paidPence - one.wentBackPence)}.`}
          name={`share-${one.id}`}
          inputMode="decimal"
          autoComplete="off"
          pattern={amountPattern}
        />
      ))}
    </>
  );
}

export const assignBody = (
  fields: FormData,
  { order: { unassignedRefunds, orderedTogether } }: FieldsProps,
) => ({
  providerRefundId: text(fields, "providerRefundId") || (unassignedRefunds[0]?.providerRefundId ?? ""),
  shares: (orderedTogether?.orders ?? [])
    .filter(({ id }) => text(fields, `share-${id}`) !== "")
    .map(({ id: orderId }) => ({ orderId, amountPence: penceIn(fields, `share-${orderId}`) })),
});

export function RefundFields({ order }: FieldsProps) {
  return <AmountFields payments={order.payments.filter(({ refundablePence }) => refundablePence > 0)} />;
}

export const refundBody = (fields: FormData, { payments }: Pick<OrderPage, "payments">) =>
  amountBody(
    fields,
    payments.find(({ refundablePence }) => refundablePence > 0),
  );

/** Payment, amount, and the transfer reference while the contact data can still seal it. */
export function BankTransferFields({ order }: FieldsProps) {
  return (
    <>
      <AmountFields payments={order.payments.filter(isForTransfer)} />
      {order.personal.contact.state === "sealed" ? (
        <DenseField
          label="Transfer reference"
          hint="Give the bank the same reference. It is sealed with the contact data and destroyed with it. Never enter an account number or sort code."
          name="reference"
          required
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
        />
      ) : (
        <p className="text-13 text-muted">
          The contact data has been destroyed, so we cannot keep a reference. Keep it with your bank records.
        </p>
      )}
    </>
  );
}

/** Bank transfers are for payments with a failed card refund, none pending, and a refundable rest. */
function isForTransfer({ refundablePence, refunds }: Payment): boolean {
  const byCard = refunds.filter(({ way }) => way === "card").map(({ status }) => status);
  return refundablePence > 0 && byCard.includes("failed") && !byCard.includes("pending");
}

export const bankTransferBody = (fields: FormData, { payments }: Pick<OrderPage, "payments">) => ({
  ...amountBody(fields, payments.find(isForTransfer)),
  reference: text(fields, "reference"),
});

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

export const transferReturnBody = (fields: FormData) => ({ transfer: Number(text(fields, "transfer")) });

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
        label="Outcome"
        name="outcome"
        required
        placeholder="Choose…"
        options={[
          { value: "won", words: "Won: we keep the payment" },
          { value: "lost", words: "Lost: the cardholder keeps the money" },
          { value: "warningClosed", words: "Inquiry closed: no money was taken" },
        ]}
      />
    </>
  );
}

export const disputeOutcomeBody = (fields: FormData) => ({
  disputeId: text(fields, "disputeId"),
  outcome: text(fields, "outcome"),
});

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

export const proposalBody = (fields: FormData) => ({ proposal: Number(text(fields, "proposal")) });

export function NoteFields() {
  return <DenseArea label="Note" name="note" rows={5} required maxLength={2000} />;
}
