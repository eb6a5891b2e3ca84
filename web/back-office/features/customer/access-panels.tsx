import { type ReactNode, useState } from "react";
import {
  type Customer,
  exportCustomer,
  type RevealedCustomer,
  revealCustomer,
} from "../../../../contract/customers/customers.ts";
import { revealReason } from "../../../../domain/order/vocabulary.ts";
import { call, saveFile, send } from "../../../api/send.ts";
import { ActionDialog } from "../../ui/action-dialog.tsx";
import { Panel } from "../../ui/page-parts.tsx";
import { Masked, When } from "../../ui/values.tsx";

// What opens a customer's data. Their logs record each time.

/** The reasons for revealing a customer's identity: those of the log's list that concern a person. */
const reasons = [
  { value: "customerAsked", words: "The customer asked" },
  { value: "ticket", words: "To answer a ticket" },
  { value: "subjectAccess", words: "Subject access request" },
  { value: "erasureRequest", words: "Erasure request" },
  { value: "complaint", words: "To answer a complaint" },
  { value: "fraudCheck", words: "To check for fraud" },
] as const;

interface Shown {
  readonly person: RevealedCustomer;
  readonly since: string;
}

interface WhoPanelProps {
  readonly customer: Customer;
  /** Called once the reveal is logged. */
  readonly onRevealed: () => void;
}

/** Identity, masked until revealed with a reason. Revealed data is kept on this page only. */
export function WhoPanel({ customer, onRevealed }: WhoPanelProps) {
  const [asking, setAsking] = useState(false);
  const [shown, setShown] = useState<Shown | null>(null);
  const destroyed = customer.name === null;
  return (
    <Panel title="Identity">
      <dl className="grid grid-cols-[minmax(4.5rem,6rem)_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        {linesOf(customer, shown?.person ?? null).map(([label, value]) => (
          <Line key={label} label={label}>
            {value === "" ? <span className="text-muted">none</span> : <Masked value={value} />}
          </Line>
        ))}
      </dl>
      {shown === null && !destroyed && (
        <button
          type="button"
          className="link mt-2 inline-flex min-h-7 cursor-pointer items-center"
          onClick={() => setAsking(true)}
        >
          Reveal with a reason…
        </button>
      )}
      {shown !== null && <ShownSince shown={shown} onHide={() => setShown(null)} />}
      <ActionDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Reveal identity"
        whatHappens="You will see their name, email address and the other contact details from their latest order. That order’s log permanently records who viewed them, when and why."
        confirmLabel="Reveal"
        reasons={reasons}
        withNote={false}
        onConfirm={async ({ reason }) => {
          const person = await send(revealCustomer, {
            params: { id: customer.id },
            body: { reason: revealReason.parse(reason) },
          });
          setShown({ person, since: new Date().toISOString() });
          onRevealed();
        }}
      />
    </Panel>
  );
}

function ShownSince({ shown, onHide }: { shown: Shown; onHide: () => void }) {
  const { from } = shown.person;
  return (
    <p className="mt-2 text-13 text-muted">
      <span role="status">
        From{" "}
        {from.number === null ? (
          "an unfinished order"
        ) : (
          <>
            {from.kind} <span className="figures">{from.number}</span>
          </>
        )}
        . Revealed at <When at={shown.since} show="time" /> and logged.
      </span>{" "}
      <button type="button" className="link inline-flex min-h-7 cursor-pointer items-center" onClick={onHide}>
        Hide
      </button>
    </p>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  );
}

type FactLine = readonly [label: string, value: string | null];

function linesOf({ name, email }: Customer, person: RevealedCustomer | null): readonly FactLine[] {
  if (person === null) {
    return [
      ["Name", name],
      ["Email", email],
    ];
  }
  const { company, address, phone } = person;
  const lines: readonly (FactLine | null)[] = [
    ["Name", person.name],
    ["Email", person.email],
    company === null ? null : ["Company", company],
    address && ["Address", addressText(address)],
    phone && ["Phone", [phone.daytime, phone.evening].filter(Boolean).join("\n")],
  ];
  return lines.filter((line) => line !== null);
}

const addressText = (address: NonNullable<RevealedCustomer["address"]>): string =>
  [address.line1, address.line2, address.town, address.county, address.postcode, address.country]
    .filter(Boolean)
    .join("\n");

type Format = "pdf" | "json";

const titles: Readonly<Record<Format, string>> = {
  pdf: "Create a readable copy (PDF)",
  json: "Create a portable copy (JSON)",
};

interface AccountPanelProps {
  readonly customer: Customer;
  readonly onRevealed: () => void;
}

/** Subject access: exports everything we hold about a person. */
export function AccountPanel({ customer, onRevealed }: AccountPanelProps) {
  const [asking, setAsking] = useState<Format>();
  const [made, setMade] = useState(false);
  return (
    <Panel title="Subject access">
      <p className="text-muted">
        Everything we hold: any remaining contact and application data, orders, tickets and their messages,
        payments, emails, and who has viewed the data.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <button
          type="button"
          className="button button-dense button-outlined"
          onClick={() => setAsking("pdf")}
        >
          Export as PDF…
        </button>
        <button
          type="button"
          className="button button-dense button-outlined"
          onClick={() => setAsking("json")}
        >
          Export as JSON…
        </button>
      </div>
      <p role="status" className="mt-2 text-13 text-fulfilled">
        {made ? "Saved by your browser. We keep no copy." : ""}
      </p>
      <ActionDialog
        open={asking !== undefined}
        onClose={() => setAsking(undefined)}
        title={asking ? titles[asking] : "Subject access"}
        whatHappens={<WhatExportDoes customer={customer} />}
        confirmLabel="Create copy"
        reasons={null}
        withNote={false}
        onConfirm={async () => {
          setMade(false);
          const asked = { params: { id: customer.id }, body: { format: asking ?? "pdf" } };
          await saveFile(await call(exportCustomer, asked));
          setMade(true);
          onRevealed();
        }}
      />
    </Panel>
  );
}

function WhatExportDoes({ customer: { orders, tickets, drafts } }: { customer: Customer }) {
  const things = [
    counted(orders.length, "order"),
    counted(tickets.length, "ticket"),
    counted(drafts.length, "unfinished order"),
  ].filter((words) => words !== null);
  const opened = new Intl.ListFormat("en-GB").format(things);
  return (
    <>
      <p>
        This opens everything in {opened} and puts it into one file for you to pass on. Each log records that
        you opened the data for a subject access request. We keep no copy: store the file safely and delete it
        afterwards.
      </p>
      <p className="mt-2">
        Verify the requester’s identity, and check the file for other people’s data before you send it.
      </p>
    </>
  );
}

const counted = (count: number, thing: string): string | null =>
  count === 0 ? null : `${count} ${thing}${count === 1 ? "" : "s"}`;
