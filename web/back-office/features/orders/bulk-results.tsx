import { useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import type { BulkOutcome } from "../../../../contract/order-desk/list.ts";
import { adminPages } from "../../paths.ts";
import { Status, type Tone } from "../../ui/status.tsx";
import { type BulkAction, bulkActions, countOf, outcomeWords } from "./bulk-words.ts";

export interface BulkResult {
  readonly action: BulkAction;
  readonly outcomes: readonly BulkOutcome[];
}

const tones: Readonly<Record<BulkOutcome["outcome"], Tone>> = {
  done: "fulfilled",
  unchanged: "failed",
  refused: "cancelled",
  failed: "cancelled",
};

/** What came of each order, those that were refused first: they are what somebody has to look at. */
export function BulkResults({ result, onClose }: { result: BulkResult; onClose: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each result takes the focus, or nobody who listens would learn of it.
  useEffect(() => heading.current?.focus(), [result]);
  const { action, outcomes } = result;
  const done = outcomes.filter(({ outcome }) => outcome === "done").length;
  const order = ["failed", "refused", "unchanged", "done"];
  const sorted = outcomes.toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
  return (
    <section aria-label="Results" className="mb-4 border-l-3 border-primary pl-4">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 ref={heading} tabIndex={-1} className="text-16">
          {bulkActions[action].done}: {done} of {countOf(outcomes.length)}
        </h2>
        <button type="button" className="button button-dense button-quiet" onClick={onClose}>
          Close
        </button>
      </div>
      <ul className="mt-1 max-h-56 overflow-auto text-13" tabIndex={-1}>
        {sorted.map((one) => (
          <li key={one.id} className="flex flex-wrap items-baseline gap-x-3 py-0.5">
            {one.orderNumber === null ? (
              <span className="figures">{one.id}</span>
            ) : (
              <Link className="link figures" to={adminPages.order(one.orderNumber)}>
                {one.orderNumber}
              </Link>
            )}
            <Status status={outcomeWords(one, action)} tone={tones[one.outcome]} />
          </li>
        ))}
      </ul>
    </section>
  );
}
