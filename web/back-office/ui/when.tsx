const zone = { timeZone: "Europe/London" } as const;
const parts = {
  moment: new Intl.DateTimeFormat("en-GB", {
    ...zone,
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  }),
  day: new Intl.DateTimeFormat("en-GB", { ...zone, day: "numeric", month: "short", year: "numeric" }),
  time: new Intl.DateTimeFormat("en-GB", {
    ...zone,
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }),
};
const exact = new Intl.DateTimeFormat("en-GB", { ...zone, dateStyle: "full", timeStyle: "long" });

interface WhenProps {
  /** ISO, UTC; null shows a dash. */
  at: string | null;
  /** '20 Nov 2026, 14:32', '20 Nov 2026', or '14:32:09'. */
  show?: keyof typeof parts;
}

/** A moment as a clock in London shows it; the exact one on pointing at it. */
export function When({ at, show = "moment" }: WhenProps) {
  if (at === null) return <span className="text-muted">–</span>;
  const moment = new Date(at);
  return (
    <time dateTime={at} title={exact.format(moment)} className="whitespace-nowrap tabular-nums">
      {parts[show].format(moment)}
    </time>
  );
}
