import { ChevronUp } from "lucide-react";
import { type ReactNode, useState, useSyncExternalStore } from "react";
import { formatPounds } from "../../../domain/pricing/money.ts";
import { groFees } from "../../../domain/pricing/price-list.ts";
import type { Draft } from "../../ordering/draft/draft.ts";
import { official } from "../../paths.ts";
import { DespatchLine } from "../../ui/price-notes.tsx";
import { type Summary, type SummaryLine, summaryOf } from "./summary-lines.ts";
import { costOf, useWizardPrices } from "./wizard-prices.ts";

/** Beside the form on a wide screen; on a phone, an expandable bar at the bottom. */
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

/** The bar. Its button is small, because it covers other controls. */
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

/** The order as a till receipt: items, prices, their parts, and the total. */
function Receipt({ summary, priority }: { summary: Summary; priority: boolean }) {
  return (
    <>
      <Lines lines={summary.choice} />
      <p className="dotted-rule mt-3 pt-3 text-14 text-muted">Of each {summary.unit}</p>
      <Lines lines={summary.parts} />
      <p className="leader dotted-rule mt-3 pt-3 text-18 font-[600]">
        <span>Total</span>
        <span className="figures">{summary.total}</span>
      </p>
      <DespatchLine serviceLevel={priority ? "priority" : "standard"} className="mt-3 text-14" />
      <p className="mt-2 text-14 text-muted">
        We are a private company. The GRO’s own price is{" "}
        {formatPounds(groFees.feePence[priority ? "priority" : "standard"])} a copy.{" "}
        <a className="link" href={official.order}>
          Order there
        </a>
      </p>
    </>
  );
}

function Lines({ lines }: { lines: readonly SummaryLine[] }) {
  return (
    <dl>
      {lines.map(({ what, figure }) => (
        <div key={what} className="leader py-1 text-14">
          <dt>{what}</dt>
          <dd className="figures">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

const wide = matchMedia("(min-width: 62rem)");

const subscribe = (listener: () => void) => {
  wide.addEventListener("change", listener);
  return () => wide.removeEventListener("change", listener);
};

/** True on screens wide enough for two columns: the `lg` breakpoint of tokens.css. */
const useWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);
