import { ChevronUp } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Draft } from "../../../draft/draft.ts";
import { useWide } from "../../../ui/use-wide.ts";
import { costOf, useWizardPrices } from "../wizard-prices.ts";
import { Receipt } from "./receipt.tsx";
import { summaryOf } from "./summary-lines.ts";

/** Beside the form on a wide screen; on a phone a bar at the bottom that unfolds. */
export function OrderSummary({ draft }: { draft: Draft }) {
  const wide = useWide();
  const { unitPrices } = useWizardPrices();
  const summary = summaryOf(draft, costOf(draft, unitPrices(draft.certificateType)).unitPence);
  const receipt = <Receipt summary={summary} priority={draft.certificateOptions.isPriority} />;
  if (wide) {
    return (
      <aside aria-labelledby="summary" className="sticky top-6 self-start">
        <div className="torn border border-hairline bg-surface px-6 pt-5">
          <h2 id="summary" className="text-22">
            Your order
          </h2>
          <p className="dotted-rule-after mt-1.5 mb-3 text-14 text-muted">
            Kept in this tab until you finish.
          </p>
          {receipt}
        </div>
      </aside>
    );
  }
  return (
    <FoldedSummary title={summary.title} total={summary.total}>
      {receipt}
    </FoldedSummary>
  );
}

interface FoldedSummaryProps {
  title: string;
  total: string;
  children: ReactNode;
}

/** The bar. Its button is small, because whatever can be pressed here lies over something else that can. */
function FoldedSummary({ title, total, children }: FoldedSummaryProps) {
  const [open, setOpen] = useState(false);
  return (
    <aside
      aria-label="Your order"
      className="sticky bottom-0 z-10 -mx-5 border-t border-hairline bg-surface shadow-float"
    >
      <div className="flex min-h-14 items-center gap-3 pl-5">
        <span className="min-w-0 flex-1 text-14 font-[500]">{title}</span>
        <span className="figures font-[600]">{total}</span>
        <button
          type="button"
          className="grid size-12 cursor-pointer place-items-center text-muted"
          aria-expanded={open}
          aria-controls="receipt"
          onClick={() => setOpen(!open)}
        >
          <ChevronUp aria-hidden="true" className={`size-5 ${open ? "rotate-180" : ""}`} strokeWidth={1.75} />
          <span className="sr-only">Price breakdown</span>
        </button>
      </div>
      <div id="receipt" hidden={!open} className="max-h-[60vh] overflow-y-auto px-5 pb-5">
        {children}
      </div>
    </aside>
  );
}
