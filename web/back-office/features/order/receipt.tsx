import type { DeletionReceipt } from "../../../../contract/orders/tracking.ts";
import {
  afterWords,
  destroyedWords,
  groupedFingerprint,
  probeWords,
  ruleWords,
} from "../../../../domain/order/personal-data/deletion-words.ts";
import { When } from "../../ui/when.tsx";
import { FactLine, Facts } from "./facts.tsx";

/** The place of what was destroyed, with the receipt of its destruction. */
export function Destroyed({ receipt }: { receipt: DeletionReceipt }) {
  const { secondsAfterSubmission: seconds } = receipt;
  const after = afterWords(seconds);
  return (
    <details className="group">
      <summary className="inline-flex min-h-6 cursor-pointer flex-wrap items-center gap-x-2">
        <span className="rounded-4 bg-fulfilled-ground px-2 py-0.5 text-13 font-[500] text-fulfilled">
          {seconds === null ? "destroyed" : `destroyed ${seconds} s after submission`}
        </span>
        <span className="text-13 text-primary group-hover:underline">Receipt</span>
      </summary>
      <div className="mt-2 border-l-3 border-fulfilled pl-3 text-13">
        <Facts>
          <FactLine label="Destroyed">
            {destroyedWords(receipt.destroyed)} (
            {receipt.records === 1 ? "1 record" : `${receipt.records} records`})
          </FactLine>
          <FactLine label="When">
            <When at={receipt.at} />
          </FactLine>
          {after && <FactLine label="After">{after}</FactLine>}
          <FactLine label="Because">{ruleWords(receipt.rule)}</FactLine>
          <FactLine label="Checked by">{probeWords}</FactLine>
          <FactLine label="Key">
            <span className="figures">{groupedFingerprint(receipt.keyFingerprint)}</span>
          </FactLine>
        </Facts>
      </div>
    </details>
  );
}
