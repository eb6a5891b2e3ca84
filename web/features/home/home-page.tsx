import { Link } from "react-router-dom";
import { certificateTypes } from "../../../domain/forms/options.ts";
import { formatPounds } from "../../../domain/pricing/money.ts";
import { pricesAcross } from "../../../domain/pricing/price-list.ts";
import {
  despatchWords,
  despatchWorkingDays,
  fastestWorkingDays,
  postWords,
} from "../../../domain/promise/timetable.ts";
import { pages } from "../../paths.ts";
import { usePreRendered } from "../../rendering/hydration.tsx";
import { useConfig, usePriceList, usePrices } from "../../site/config.ts";
import { priceTable, type UnitPrices } from "../../site/prices.ts";
import { PageHeading } from "../../ui/page-heading.tsx";
import { DespatchLine, HonestPrice } from "../../ui/price-notes.tsx";
import { WhatYouWillSee } from "./what-you-will-see.tsx";

/** /: the certificates with their prices, how it works, and what to expect. */
export default function HomePage() {
  return (
    <>
      <div className="page-width grid items-start gap-x-16 gap-y-10 py-12 md:py-16 lg:grid-cols-[1fr_26.5rem]">
        <div className="min-w-0">
          <PageHeading title="Birth and death certificates for England and Wales">
            The certificate you need, <span className="sm:block">without the form you don’t.</span>
          </PageHeading>
          <p className="mt-5 max-w-[36em] text-18 text-muted">
            Birth and death certificates for England and Wales. Answer a few simple questions. We fill in the
            General Register Office’s form, check it, submit it, and tell you when your certificate is on its
            way.
          </p>
          <div className="mt-7 flex flex-col gap-3 sm:flex-row sm:flex-wrap sm:items-center">
            <Link to={pages.order} className="button button-primary">
              Start Your Application
            </Link>
            <Link to={pages.lookup} className="button button-outlined">
              Look Up My Order
            </Link>
            <Link to={pages.pricing} className="link px-3 py-2 text-center font-[600]">
              View Pricing
            </Link>
          </div>
          <HonestPrice className="mt-8" />
        </div>
        <CertificateLedger />
      </div>
      <ThreeSteps />
      <Benefits />
      <Evidence />
      <WhatYouWillSee />
      <ReadyToOrder />
    </>
  );
}

/** The last call to action, with the price elsewhere. */
function ReadyToOrder() {
  return (
    <section aria-labelledby="ready" className="border-t border-hairline bg-surface">
      <div className="page-width grid items-center gap-x-16 gap-y-8 py-12 lg:grid-cols-[1fr_32.5rem]">
        <div>
          <h2 id="ready" className="text-28">
            Have the names and a date to hand?
          </h2>
          <p className="mt-3 max-w-measure text-muted">
            That’s all you need to start. You’ll see the full price before you pay.
          </p>
          <Link to={pages.order} className="button button-primary mt-6">
            Get Started
          </Link>
        </div>
        <HonestPrice className="text-14" />
      </div>
    </section>
  );
}

/** Testimonials with their verifiable sources; nothing if there are none. */
function Evidence() {
  const said = useConfig().data?.testimonials ?? [];
  if (said.length === 0) return null;
  return (
    <section aria-labelledby="said" className="page-width">
      <div className="border-t border-hairline py-12">
        <h2 id="said" className="text-28">
          What customers say
        </h2>
        <ul className="mt-6 grid gap-x-16 gap-y-8 md:grid-cols-2">
          {said.map(({ quote, name, source, url }) => (
            <li key={quote}>
              <blockquote className="border-l-3 border-primary pl-5 text-18">{quote}</blockquote>
              <p className="mt-2 pl-5.75 text-14 text-muted">
                {name},{" "}
                {url ? (
                  <a className="link" href={url}>
                    {source}
                  </a>
                ) : (
                  source
                )}
              </p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

const steps = [
  {
    title: "Answer the questions",
    text: "Five short steps that ask only for what the GRO needs. Your answers stay in this browser tab until you finish.",
    time: "5 steps",
  },
  {
    title: "We check and submit",
    text: "We email you a confirmation, send your application to the GRO, then delete your sensitive details.",
    time: "deleted within 3 minutes of submission",
  },
  {
    title: "It comes by post",
    text: "The GRO prints the certificate and posts it to you. Your order’s page shows its progress.",
    time: `despatched in about ${despatchWorkingDays.standard} working days; next working day with Priority; then ${postWords} by post`,
  },
] as const;

/** The flow as one line with three marks. */
function ThreeSteps() {
  return (
    <section aria-labelledby="steps" className="border-y border-hairline">
      <div className="page-width py-10">
        <h2 id="steps" className="text-28">
          Three steps, and you can track each one
        </h2>
        <ol className="mt-7 grid gap-y-8 md:grid-cols-3">
          {steps.map(({ title, text, time }, index) => (
            <li
              key={title}
              className="step-mark relative pb-1 pl-9 md:pt-8 md:pr-10 md:pl-0"
              data-first={index === 0}
            >
              <h3 className="text-22">{title}</h3>
              <p className="mt-1.5 max-w-[34ch] text-muted">{text}</p>
              <p className="mt-2 text-14 text-muted">{time}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

/** The six benefits, as a quiet list with a fact in each. */
function Benefits() {
  const { standard, priority, isOne } = pricesAcross(usePriceList());
  return (
    <section aria-labelledby="benefits" className="page-width py-12">
      <h2 id="benefits" className="sr-only">
        What you can rely on
      </h2>
      <dl className="grid gap-x-16 md:grid-cols-2">
        <Benefit name="Fast turnaround">
          With Priority, the certificate is despatched {despatchWords.priority}, so it can be with you in as
          little as {fastestWorkingDays} working days.
        </Benefit>
        <Benefit name="Easy">
          Five short steps, saved as you go. You won’t lose anything if you reload the page or lose your
          connection.
        </Benefit>
        <Benefit name="Trusted and secure">
          We follow the UK GDPR and delete your sensitive details within 3 minutes of submission: see an
          example receipt{" "}
          <a className="link" href="#what-you-will-see">
            below
          </a>
          .
        </Benefit>
        <Benefit name="Transparent pricing">
          {isOne ? "" : "From "}
          {formatPounds(standard)} or {formatPounds(priority)} a copy, including the GRO fee and postage. No
          hidden charges.
        </Benefit>
        <Benefit name="Friendly support">
          UK-based support, with a private page that keeps your conversation in one place.{" "}
          <Link className="link" to={pages.support}>
            Ask us a question
          </Link>
          .
        </Benefit>
        <Benefit name="Real-time updates">
          Every change appears on your order’s page, and we email you too.
        </Benefit>
      </dl>
    </section>
  );
}

function Benefit({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="border-b border-hairline py-5">
      <dt className="font-display text-22 tracking-tight">{name}</dt>
      <dd className="mt-1.5 max-w-[52ch] text-muted">{children}</dd>
    </div>
  );
}

const comingSoon: readonly string[] = ["Marriage", "Adoption"];

/** The four certificates as a ledger, each with the lowest price that one can really pay. */
function CertificateLedger() {
  const preRendered = usePreRendered();
  const list = usePriceList();
  // The page that the server rendered came with today's prices.
  const { data } = usePrices(preRendered ? [] : certificateTypes);
  const prices = preRendered ? priceTable(list) : data;
  return (
    <section aria-labelledby="ledger" className="card rounded-4 border border-hairline bg-surface p-6 pb-5">
      <h2 id="ledger" className="border-b-2 border-ink pb-3 text-22">
        Our Certificate Services
      </h2>
      <ul className="divide-y divide-hairline" aria-busy={!prices}>
        {certificateTypes.map((type) => (
          <li key={type} className="leader py-3">
            <span className="flex flex-wrap items-center gap-x-2 font-[600]">
              {type}
              {comingSoon.includes(type) && (
                <span className="rounded-4 border border-hairline px-1.5 text-14 font-[400] text-muted">
                  Coming Soon
                </span>
              )}
            </span>
            <From prices={prices?.[type]} />
          </li>
        ))}
      </ul>
      <DespatchLine serviceLevel="priority" className="mt-2 text-14 text-muted" />
    </section>
  );
}

function From({ prices }: { prices: UnitPrices | undefined }) {
  if (!prices) {
    return (
      <span role="status" className="inline-flex w-[9ch] justify-end">
        <span className="spinner text-14" aria-hidden="true" />
        <span className="sr-only">Loading the price</span>
      </span>
    );
  }
  return <span className="figures whitespace-nowrap">From £{Math.floor(prices.standard)}</span>;
}
