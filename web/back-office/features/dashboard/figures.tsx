import type { ReactNode } from "react";
import type { DayFigures, Figures, ReadModel } from "../../../../contract/back-office/overview.ts";
import { LineChart, type Series } from "../../ui/charts/line-chart.tsx";
import { durationWords, poundsOf } from "../../ui/values.tsx";

const whole = (value: number): string => Math.round(value).toLocaleString("en-GB");
const wholePounds = (pence: number): string =>
  pence % 100 === 0 ? `£${whole(pence / 100)}` : poundsOf(pence);
const maybe = (seconds: number | null): string => (seconds === null ? "–" : durationWords(seconds));

const shortDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const dayWords = (date: string): string => shortDay.format(new Date(`${date}T12:00:00Z`));

function returnWords({ refunds, lostPence }: Figures): string {
  const words = refunds === 1 ? "1 refund" : `${whole(refunds)} refunds`;
  return lostPence === 0 ? words : `${words}, and ${wholePounds(lostPence)} lost in disputes`;
}

/** Totals for the period. */
export function Sums({ all }: { all: Figures }) {
  const left = all.revenuePence - all.groFeesPence - all.refundedPence - all.lostPence;
  return (
    <dl className="grid grid-cols-2 gap-x-8 gap-y-3 sm:grid-cols-3 lg:grid-cols-6">
      <Sum
        name="Orders paid"
        of={`${whole(all.payments)} ${all.payments === 1 ? "payment" : "payments"}, ${whole(all.created)} opened`}
      >
        {whole(all.paid)}
      </Sum>
      <Sum name="Revenue" of={`including ${wholePounds(all.groFeesPence)} GRO fees`}>
        {wholePounds(all.revenuePence)}
      </Sum>
      <Sum name="Refunded" of={returnWords(all)}>
        {wholePounds(all.refundedPence)}
      </Sum>
      <Sum name="Net" of="after GRO fees, refunds and disputes">
        {wholePounds(left)}
      </Sum>
      <Sum name="Time to submission" of={`median of ${whole(all.submitted)} orders, from payment`}>
        {maybe(all.medianSecondsToSubmission)}
      </Sum>
      <Sum name="Time to purge" of={`median; longest ${maybe(all.longestSecondsToPurge)}`}>
        {maybe(all.medianSecondsToPurge)}
      </Sum>
    </dl>
  );
}

function Sum({ name, of, children }: { name: string; of: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-13 text-muted">{name}</dt>
      <dd className="figures text-18">{children}</dd>
      <dd className="text-13 text-muted">{of}</dd>
    </div>
  );
}

export function Charts({ days }: { days: readonly DayFigures[] }) {
  const labels = days.map(({ date }) => dayWords(date));
  const of = <Name extends keyof Figures>(name: Name) => days.map((day) => day[name]);
  return (
    <div className="grid gap-x-10 gap-y-8 lg:grid-cols-2">
      <LineChart
        title="Orders and payments"
        labels={labels}
        labelHeader="Day"
        format={whole}
        series={[
          { name: "Opened", colour: "pending", values: of("created") },
          { name: "Paid", colour: "primary", values: of("paid") },
          { name: "Payments", colour: "processing", values: of("payments") },
          { name: "Submitted", colour: "fulfilled", values: of("submitted") },
        ]}
      />
      <LineChart
        title="Revenue and GRO fees"
        labels={labels}
        labelHeader="Day"
        format={wholePounds}
        series={[
          { name: "Revenue", colour: "primary", values: of("revenuePence") },
          { name: "GRO fees", colour: "processing", values: of("groFeesPence") },
          { name: "Refunds", colour: "cancelled", values: of("refundedPence") },
        ]}
      />
      <TimeChart
        title="Time from payment to submission"
        labels={labels}
        series={[{ name: "Median", colour: "primary", values: of("medianSecondsToSubmission") }]}
      />
      <TimeChart
        title="Time from submission to purge"
        labels={labels}
        series={[
          { name: "Median", colour: "primary", values: of("medianSecondsToPurge") },
          { name: "Longest", colour: "cancelled", values: of("longestSecondsToPurge") },
        ]}
      />
    </div>
  );
}

/** Plots seconds in the unit of the largest value, for round figures on the scale. */
function TimeChart(props: { title: string; labels: readonly string[]; series: readonly Series[] }) {
  const most = Math.max(0, ...props.series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const unit = most < 60 ? 1 : most < 3_600 ? 60 : 3_600;
  return (
    <LineChart
      {...props}
      labelHeader="Day"
      format={(value) => durationWords(value * unit)}
      series={props.series.map(({ values, ...series }) => ({
        ...series,
        values: values.map((value) => value && value / unit),
      }))}
    />
  );
}

/** A shorter delay is normal. */
const behindSeconds = 10;

const isHealthy = ({ state, behindSeconds: behind }: ReadModel): boolean =>
  state === "ready" && behind < behindSeconds;

/** Read models that are behind or stopped, or a line saying that all are up to date. */
export function ReadModels({ readModels }: { readModels: readonly ReadModel[] }) {
  const unhealthy = readModels.filter((model) => !isHealthy(model));
  if (unhealthy.length === 0)
    return <p className="text-13 text-muted">All {readModels.length} read models are up to date.</p>;
  return (
    <div role="alert" className="border-l-3 border-danger pl-4">
      <p className="font-[600] text-danger">
        {unhealthy.length === 1 ? "One read model is" : `${unhealthy.length} read models are`} out of date:
        lists and figures may be wrong.
      </p>
      <ul className="mt-1 text-14">
        {unhealthy.map((model) => (
          <li key={model.name}>
            <span className="figures">{model.name}</span> {statusWords(model)}
          </li>
        ))}
      </ul>
      <p className="mt-1 text-13 text-muted">
        The orders themselves are safe: decisions use the event log. See the operations guide for what to do.
      </p>
    </div>
  );
}

function statusWords({ state, behindSeconds: behind, reason }: ReadModel): string {
  const late = behind === 0 ? "" : `, ${durationWords(behind)} behind`;
  if (state === "stopped") return `has stopped${reason === null ? "" : ` (${reason})`}${late}`;
  return state === "catching-up" ? `is catching up${late}` : `is ready${late}`;
}
