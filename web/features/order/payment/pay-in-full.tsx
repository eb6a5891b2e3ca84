import { useDraft } from "../../../draft/use-draft.ts";
import { DespatchLine } from "../../../ui/despatch-line.tsx";
import { HonestPrice } from "../../../ui/honest-price.tsx";
import { summaryOf } from "../summary/summary-lines.ts";
import { costOf, useWizardPrices } from "../wizard-prices.ts";

/** What is paid for, once more beside the card: copies, price, total, and when to expect it. */
export function PayInFull() {
  const draft = useDraft();
  const { unitPrices } = useWizardPrices();
  const { copies, unitPence } = costOf(draft, unitPrices(draft.certificateType));
  const summary = summaryOf(draft, unitPence);
  const level = draft.certificateOptions.isPriority ? "priority" : "standard";
  return (
    <section aria-label="What you pay for" className="mt-5">
      <p className="text-18">
        {summary.title}, {draft.certificateOptions.isPriority ? "Priority" : "Standard"}: {copies} ×{" "}
        <span className="figures">{summary.unit}</span> ={" "}
        <strong className="figures font-[600]">{summary.total}</strong>
      </p>
      <DespatchLine serviceLevel={level} className="mt-1.5 text-muted" />
      <HonestPrice className="mt-5 text-14" chosen={{ level, unitPence }} />
    </section>
  );
}
