import { londonDate } from "../../domain/promise/london-time.ts";
import { promiseOf, receivedOn } from "../../domain/promise/promise.ts";
import { now } from "../clock.ts";
import { longDay } from "./dates.ts";

type ServiceLevel = "standard" | "priority";

/** 'Ordered by 16:00 today: despatch expected by …', or without the hour when today's post is gone. */
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
      {today ? `Ordered by 16:00 today${priority}` : `Ordered now${priority}`}: despatch expected by{" "}
      <strong className="font-[600] whitespace-nowrap text-ink">{longDay(despatchBy)}</strong>.
    </p>
  );
}
