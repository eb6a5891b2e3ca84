import { londonDate } from "../../domain/promise/london-time.ts";
import { cutOffHour, promiseOf, receivedOn } from "../../domain/promise/promise.ts";
import { arrivalBy } from "../../domain/promise/timetable.ts";
import { longDay, now } from "./dates.ts";

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
  <strong className="font-[600] whitespace-nowrap text-ink">{longDay(date)}</strong>
);
