import { badgeOf, type OrderStatus } from "../../../domain/order/status.ts";
import { useIdentity } from "../../identity/page-identity.ts";
import { badgeStyles } from "../../ui/order-facts.tsx";

/** The colour of an order status. */
export type Tone = Uncapitalize<OrderStatus>;

const statusOf = (tone: Tone): string => tone.charAt(0).toUpperCase() + tone.slice(1);

/** A small status badge; on a phone a long one wraps. `tone` gives other texts the colour of a status. */
export function Status({ status, tone }: { status: string; tone?: Tone }) {
  const colour = badgeOf(tone === undefined ? status : statusOf(tone));
  return (
    <span
      className={`inline-block rounded-4 px-1.5 py-px text-13 font-[500] sm:whitespace-nowrap ${badgeStyles[colour]}`}
    >
      {status}
    </span>
  );
}

const pounds = new Intl.NumberFormat("en-GB", { style: "currency", currency: "GBP" });

/** '£45.00'. */
export const poundsOf = (pence: number): string => pounds.format(pence / 100);

/** An amount in pence; null shows a dash. */
export function Money({ pence }: { pence: number | null }) {
  if (pence === null) return <span className="text-muted">–</span>;
  return <span className="figures whitespace-nowrap">{poundsOf(pence)}</span>;
}

interface PersonProps {
  readonly userId: string;
  /** Names by user id. */
  readonly people: Readonly<Record<string, string>>;
}

/** The name of a member of staff; 'you' for the current user. */
export function Person({ userId, people }: PersonProps) {
  const own = useIdentity().userId === userId;
  return <span title={userId}>{own ? "you" : (people[userId] ?? userId)}</span>;
}

interface MaskedProps {
  /** Null while hidden. */
  value: string | null;
  destroyed?: boolean;
  /** Typical length in characters. The real length would leak information. */
  length?: number;
}

/** Personal data, hidden until it is revealed with a reason. */
export function Masked({ value, destroyed = false, length = 14 }: MaskedProps) {
  if (destroyed) return <span className="text-muted italic">destroyed</span>;
  if (value !== null) return <span className="wrap-anywhere whitespace-pre-line">{value}</span>;
  return (
    <span>
      <svg className="hatched" width={`${length * 0.55}em`} height="1em" aria-hidden="true" />
      <span className="sr-only">hidden</span>
    </span>
  );
}

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

/** A moment in London time, with the exact time as tooltip. */
export function When({ at, show = "moment" }: WhenProps) {
  if (at === null) return <span className="text-muted">–</span>;
  const moment = new Date(at);
  return (
    <time dateTime={at} title={exact.format(moment)} className="whitespace-nowrap tabular-nums">
      {parts[show].format(moment)}
    </time>
  );
}

/** '41 s', '3.5 min', '2.1 h', '4.0 days'. */
export function durationWords(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3_600) return `${tenths(seconds / 60)} min`;
  if (seconds < 2 * 86_400) return `${tenths(seconds / 3_600)} h`;
  return `${tenths(seconds / 86_400)} days`;
}

const tenths = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));
