import { useEffect, useRef } from "react";
import { useConfig } from "../../site/config.ts";
import { StatusBadge } from "../../ui/order-facts.tsx";
import { drawOnSight } from "../../ui/rosette-on-sight.ts";

/** A made-up fingerprint that draws the example's rosette. */
const exampleFingerprint = "9f31c07a5be24d18a6f013cc7e92b8450d6e2f81c3a94b57e0f2861d5c7a9b34";

const history = [
  ["Your sensitive data was deleted", "within 3 minutes of submission"],
  ["Your application was sent to the General Register Office", "after your confirmation"],
  ["We received your payment", "by card"],
  ["We received your order", "with your order number"],
] as const;

/** Instead of reviews: a marked example of an order's page, and our measured figures. */
export function WhatYouWillSee() {
  const rosette = useRef<HTMLSpanElement>(null);
  useEffect(() => (rosette.current ? drawOnSight(rosette.current) : undefined), []);
  const hasReviews = (useConfig().data?.testimonials.length ?? 0) > 0;
  return (
    <section id="what-you-will-see" aria-labelledby="will-see" className="page-width">
      <div className="grid items-center gap-x-16 gap-y-8 border-t border-hairline py-12 lg:grid-cols-[1fr_32.5rem]">
        <div>
          <h2 id="will-see" className="text-28">
            What you will see
          </h2>
          <p className="mt-4 max-w-measure text-muted">
            {hasReviews
              ? "Every order"
              : "We don’t show reviews we can’t prove. Instead, see for yourself: every order"}{" "}
            gets a page that shows where it is, when each step happened, and a certificate of deletion for the
            details you trusted us with.
          </p>
          <Measured insteadOfReviews={!hasReviews} />
        </div>
        <figure>
          <div className="relative overflow-hidden rounded-4 border border-hairline bg-surface p-6">
            <div className="flex flex-wrap items-center justify-between gap-2 border-b border-hairline pb-4">
              <span className="figures text-18">7K3M-Q9TX-2HVD4</span>
              <StatusBadge status="Processing" words="With Home Office" />
            </div>
            <div className="grid items-center gap-4 pt-4 sm:grid-cols-[1fr_9rem]">
              <ol className="space-y-2.5">
                {history.map(([what, when]) => (
                  <li key={what}>
                    <span className="block font-[500]">{what}</span>
                    <span className="text-14 text-muted">{when}</span>
                  </li>
                ))}
              </ol>
              <span ref={rosette} data-rosette={exampleFingerprint} className="size-36 max-sm:mx-auto" />
            </div>
          </div>
          <figcaption className="mt-2 text-14 text-muted">
            An example, not a real order. The rosette is drawn from the fingerprint of a destroyed key, so no
            two are alike.
          </figcaption>
        </figure>
      </div>
    </section>
  );
}

const orders = new Intl.NumberFormat("en-GB");

/**
 * Measured figures: how many orders, and how fast. If there is nothing else to show, it says that there are too few to
 * measure.
 */
function Measured({ insteadOfReviews }: { insteadOfReviews: boolean }) {
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

/** The figure is above its label; screen readers read the label first. */
function Figure({ words, figure }: { words: string; figure: string }) {
  return (
    <div className="flex flex-col-reverse justify-end border-t border-hairline pt-3">
      <dt className="max-w-[30ch] text-14 text-muted">{words}</dt>
      <dd className="font-display text-28 tracking-tight">{figure}</dd>
    </div>
  );
}

/** A span in words that one can picture. `minutes` may have a fraction. */
function durationWords(minutes: number): string {
  if (minutes < 0.1) return "a few seconds";
  if (minutes < 2) return `${Math.round(minutes * 60)} seconds`;
  if (minutes < 90) return `${Math.round(minutes)} minutes`;
  return `${Math.round(minutes / 60)} hours`;
}
