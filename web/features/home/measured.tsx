import { useConfig } from "../../site/config.ts";
import { durationWords } from "./duration-words.ts";

const orders = new Intl.NumberFormat("en-GB");

/** What we did, counted: how many orders, and how fast. Where that would be all there is, too little to count is said as well. */
export function Measured({ insteadOfReviews }: { insteadOfReviews: boolean }) {
  const config = useConfig().data;
  if (!config) return null;
  if (!config.facts) {
    if (!insteadOfReviews) return null;
    return (
      <p className="mt-4 max-w-measure text-muted">
        We’ll publish our figures here once we have enough orders to measure.
      </p>
    );
  }
  const { submittedOrders, medianMinutesToSubmission } = config.facts;
  return (
    <>
      <dl className="mt-6 grid gap-x-10 gap-y-5 sm:grid-cols-2">
        <Figure words="orders submitted so far" figure={orders.format(submittedOrders)} />
        {medianMinutesToSubmission !== null && (
          <Figure
            words="median time from payment to submission, last 90 days"
            figure={durationWords(medianMinutesToSubmission)}
          />
        )}
      </dl>
      <p className="mt-4 text-14 text-muted">
        From our own records, updated every minute.
        {config.modes.submission === "sandbox" &&
          " This is a sandbox: submissions here go to a simulated GRO."}
      </p>
    </>
  );
}

/** The figure stands above its words; whoever listens hears the words first. */
function Figure({ words, figure }: { words: string; figure: string }) {
  return (
    <div className="flex flex-col-reverse justify-end border-t border-hairline pt-3">
      <dt className="max-w-[30ch] text-14 text-muted">{words}</dt>
      <dd className="font-display text-28 tracking-tight">{figure}</dd>
    </div>
  );
}
