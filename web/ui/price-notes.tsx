import { Link } from "react-router-dom";
import { formatPounds } from "../../domain/pricing/money.ts";
import { groFees, type PricedService, pricesAcross } from "../../domain/pricing/price-list.ts";
import { londonDate } from "../../domain/promise/london-time.ts";
import { arrivalBy, cutOffHour, promiseOf, receivedOn } from "../../domain/promise/timetable.ts";
import { official, pages } from "../paths.ts";
import { usePriceList } from "../site/config.ts";
import { longDay, now } from "./dates.ts";

/** What one copy costs at the service level that was chosen, in pence. */
interface ChosenPrice {
  readonly level: PricedService;
  readonly unitPence: number;
}

/**
 * Beside every price and call to action: that we are not the GRO, what it charges, and the way there; of `chosen` once
 * one has chosen.
 */
export function HonestPrice({ className = "", chosen }: { className?: string; chosen?: ChosenPrice }) {
  const { standard, isOne } = pricesAcross(usePriceList());
  const { level, unitPence } = chosen ?? { level: "standard", unitPence: standard };
  const ourPrice =
    chosen || isOne
      ? `Our price of ${formatPounds(unitPence)}`
      : `Our price, from ${formatPounds(unitPence)},`;
  return (
    <div
      role="note"
      aria-label="Who we are and what the General Register Office charges"
      className={`max-w-measure border-l-3 border-primary py-0.5 pl-5 ${className}`}
    >
      <p>
        <strong className="font-[600]">We are a private company, not the GRO.</strong> You can order directly
        from the General Register Office for{" "}
        <span className="whitespace-nowrap">{formatPounds(groFees.feePence[level])}</span>
        {level === "priority" && " with Priority"}. {ourPrice} covers that fee, any search fee, and our
        checking, submission and updates.{" "}
        <Link className="link" to={pages.pricing}>
          See the price breakdown
        </Link>{" "}
        ·{" "}
        <a className="link" href={official.order}>
          Order from the GRO instead
        </a>
      </p>
    </div>
  );
}

type ServiceLevel = "standard" | "priority";

/**
 * 'Order by 16:00 today: despatch expected by …', or 'Order now' once today's cut-off has passed; and the likely
 * arrival.
 */
export function DespatchLine({
  serviceLevel,
  className = "",
}: {
  serviceLevel: ServiceLevel;
  className?: string;
}) {
  const at = now().toISOString();
  const { despatchBy } = promiseOf(serviceLevel, at);
  const today = receivedOn(at) === londonDate(at);
  const priority = serviceLevel === "priority" ? " with Priority" : "";
  return (
    <p className={className}>
      {today ? `Order by ${cutOffHour}:00 today${priority}` : `Order now${priority}`}:{" "}
      <ExpectedDays despatchBy={despatchBy} />
    </p>
  );
}

/** 'despatch expected by …, likely to arrive by ….' */
function ExpectedDays({ despatchBy }: { despatchBy: string }) {
  return (
    <>
      despatch expected by <Day date={despatchBy} />, likely to arrive by <Day date={arrivalBy(despatchBy)} />
      .
    </>
  );
}

const Day = ({ date }: { date: string }) => (
  <strong className="font-[600] text-ink sm:whitespace-nowrap">{longDay(date)}</strong>
);
