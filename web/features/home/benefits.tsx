import { Link } from "react-router-dom";
import { formatPounds } from "../../../domain/pricing/money.ts";
import { pricesAcross } from "../../../domain/pricing/price-list.ts";
import { despatchWords, fastestWorkingDays } from "../../../domain/promise/timetable.ts";
import { pages } from "../../paths.ts";
import { usePriceList } from "../../site/config.ts";

/** The six benefits, as a quiet list with a fact in each. */
export function Benefits() {
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
          UK-based support in Nottingham, with a private page that keeps your conversation in one place.{" "}
          <Link className="link" to={pages.support}>
            Ask us a question
          </Link>
          .
        </Benefit>
        <Benefit name="Real-time updates">
          Every change appears on your tracking page, and we email you too.
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
