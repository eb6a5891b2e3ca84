import { groFees } from "../../../../domain/pricing/fees.ts";
import { formatPounds } from "../../../../domain/pricing/money.ts";
import { official } from "../../../paths.ts";
import { DespatchLine } from "../../../ui/despatch-line.tsx";
import type { Summary, SummaryLine } from "./summary-lines.ts";

/** The order as a till receipt: what, at which price, of what it is made up, and the total. */
export function Receipt({ summary, priority }: { summary: Summary; priority: boolean }) {
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
