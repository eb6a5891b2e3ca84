import { useState } from "react";
import type { Customer } from "../../../../contract/customers/customers.ts";
import { exportCustomer } from "../../../../contract/customers/customers.ts";
import { call } from "../../../api/send.ts";
import { saveFile } from "../../save-file.ts";
import { ActionDialog } from "../../ui/action-dialog.tsx";
import { Panel } from "../../ui/panel.tsx";

type Format = "pdf" | "json";

const titles: Readonly<Record<Format, string>> = {
  pdf: "Make an account to read (PDF)",
  json: "Make an account to take elsewhere (JSON)",
};

interface AccountPanelProps {
  readonly customer: Customer;
  readonly onLooked: () => void;
}

/** Subject access: everything that is held about a person, as a file for them. */
export function AccountPanel({ customer, onLooked }: AccountPanelProps) {
  const [asking, setAsking] = useState<Format>();
  const [made, setMade] = useState(false);
  return (
    <Panel title="Subject access">
      <p className="text-muted">
        All that is held: contact and application data still there, orders, tickets with what was written,
        payments, mails, and who looked.
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
        {made ? "Saved by your browser. Nothing of it is kept here." : ""}
      </p>
      <ActionDialog
        open={asking !== undefined}
        onClose={() => setAsking(undefined)}
        title={asking ? titles[asking] : "Subject access"}
        whatHappens={<WhatExportDoes customer={customer} />}
        confirmLabel="Make the account"
        reasons={null}
        withNote={false}
        onConfirm={async () => {
          setMade(false);
          const said = { params: { id: customer.id }, body: { format: asking ?? "pdf" } };
          await saveFile(await call(exportCustomer, said));
          setMade(true);
          onLooked();
        }}
      />
    </Panel>
  );
}

function WhatExportDoes({ customer: { orders, tickets } }: { customer: Customer }) {
  const opened = [counted(orders.length, "order"), counted(tickets.length, "ticket")]
    .filter((words) => words !== null)
    .join(" and ");
  return (
    <>
      <p>
        Everything in {opened} is opened and put into one file for you to pass on. Each of them tells in its
        log that you looked, for a subject access request. The file is made now and kept nowhere: its safe
        keeping and its deletion are yours.
      </p>
      <p className="mt-2">
        Make sure that whoever asked is this person, and read it before it leaves: it may speak of others.
      </p>
    </>
  );
}

const counted = (count: number, thing: string): string | null =>
  count === 0 ? null : `${count} ${thing}${count === 1 ? "" : "s"}`;
