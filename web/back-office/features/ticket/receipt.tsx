import type { TicketReceipt } from "../../../../contract/tickets/ticket.ts";
import { Panel } from "../../ui/panel.tsx";
import { When } from "../../ui/when.tsx";
import { Facts } from "./facts.tsx";

const rules: Readonly<Record<string, string>> = {
  retention: "the time for keeping a closed ticket had passed",
  orderPurged: "the contact data of its order was destroyed",
  erasure: "the customer asked for erasure",
};

/** What is left of what was written: the proof that nothing is. */
export function Receipt({ receipt }: { receipt: TicketReceipt }) {
  return (
    <Panel title="Certificate of deletion">
      <p className="mb-3 max-w-[66ch]">
        Name, address, subject, messages and notes were destroyed, because{" "}
        {rules[receipt.rule] ?? receipt.rule}. Nobody can read them again, and nothing more can be written
        here.
      </p>
      <Facts
        facts={[
          ["Destroyed", <When key="at" at={receipt.purgedAt} />],
          ["Records", String(receipt.records)],
          ["Read back", receipt.probe === "unreadable" ? "tried, and nothing could be read" : receipt.probe],
          [
            "Fingerprint",
            <span key="print" className="figures wrap-anywhere">
              {receipt.keyFingerprint}
            </span>,
          ],
        ]}
      />
    </Panel>
  );
}
