import { certificateTypes } from "../../../domain/forms/options.ts";
import { despatchWords, postWords } from "../../../domain/promise/timetable.ts";
import { useInBrowser, usePreRendered } from "../../rendering/pre-rendered.ts";
import { priceTable, type UnitPrices, usePriceList, usePrices } from "../../site/config.ts";
import { DespatchLine } from "../../ui/price-notes.tsx";

const comingSoon: readonly string[] = ["Marriage", "Adoption"];

/** The four certificates as a ledger, each with the lowest price that one can really pay. */
export function CertificateLedger() {
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
                <span className="rounded-4 border border-hairline px-1.5 text-14 font-[400] whitespace-nowrap text-muted">
                  Coming Soon
                </span>
              )}
            </span>
            <From prices={prices?.[type]} />
          </li>
        ))}
      </ul>
      <Despatch />
    </section>
  );
}

/** Today's promise is the browser's to say; until then, and without script, what holds on any day, as tall. */
function Despatch() {
  const className = "mt-2 min-h-[3lh] text-14 text-muted";
  if (useInBrowser()) return <DespatchLine serviceLevel="priority" className={className} />;
  return (
    <p className={className}>
      With Priority, we expect despatch {despatchWords.priority}, and delivery {postWords} later.
    </p>
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
