import { useState } from "react";
import {
  type Customer,
  type CustomerOrder,
  exportCustomer,
} from "../../../../contract/customers/customers.ts";
import type { Held } from "../../../../domain/order/personal-data/held-data.ts";
import { heldSentence } from "../../../../domain/order/personal-data/held-words.ts";
import type { PurgeRule } from "../../../../domain/order/vocabulary.ts";
import type { TicketPurgeRule } from "../../../../domain/ticket/vocabulary.ts";
import { call, saveFile } from "../../../api/send.ts";
import { londonDay } from "../../../ui/dates.ts";
import { adminPages } from "../../paths.ts";
import { ActionDialog } from "../../ui/action-dialog.tsx";
import { Empty, Panel } from "../../ui/panel.tsx";
import { type Column, DataTable } from "../../ui/tables/data-table.tsx";
import { Money, Status, When } from "../../ui/values.tsx";
import { ErasureRequested } from "./erasure-panel.tsx";

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

/** A customer's orders, with the data held for each. */
export function OrdersTable({ orders }: { orders: readonly CustomerOrder[] }) {
  return (
    <DataTable<CustomerOrder>
      caption="This customer’s orders"
      columns={columns}
      rows={orders}
      keyOf={({ orderNumber }) => orderNumber}
      hrefOf={({ orderNumber }) => adminPages.order(orderNumber)}
      state="ready"
      empty={<Empty title="No paid orders for this email address." />}
    />
  );
}

const columns: readonly Column<CustomerOrder>[] = [
  {
    key: "number",
    header: "Order",
    cell: ({ orderNumber }) => <span className="figures whitespace-nowrap">{orderNumber}</span>,
  },
  { key: "status", header: "Status", cell: ({ status }) => <Status status={status} /> },
  {
    key: "item",
    header: "Certificate",
    cell: ({ certificateType, copies }) =>
      certificateType === null ? "–" : `${certificateType} × ${copies ?? 1}`,
  },
  { key: "total", header: "Total", align: "end", cell: ({ totalPence }) => <Money pence={totalPence} /> },
  { key: "placed", header: "Placed", cell: ({ createdAt }) => <When at={createdAt} show="day" /> },
  {
    key: "held",
    header: "Data held",
    cell: ({ application, contact, erasureRequestedAt }) => (
      <div className="flex max-w-[48ch] flex-col gap-1">
        <HeldLine label="Application" held={application} />
        <HeldLine label="Contact" held={contact} />
        <ErasureRequested at={erasureRequestedAt} />
      </div>
    ),
  },
];

interface HeldLineProps {
  /** "Application", "Contact". */
  readonly label: string;
  readonly held: Held<PurgeRule | TicketPurgeRule>;
}

/** Whether data of a class is held, until when, and which rule destroys it. */
export function HeldLine({ label, held }: HeldLineProps) {
  const over = held.state === "destroyed" || held.state === "none";
  return (
    <p className={over ? "text-muted" : undefined}>
      <span className="font-[500]">{label}.</span> {heldSentence(held, londonDay)}
    </p>
  );
}
