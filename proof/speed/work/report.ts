import { type Counted, type Counts, countsOf, type StatementCalls } from "./counters.ts";

/** What a whole order may cost, with one caller. */
const targets: Partial<Record<Counted | "cpuMs", number>> = {
  transactions: 40,
  fsyncs: 12,
  walBytes: 40_960,
  cpuMs: 35,
};

type Span = { readonly from: Counts; readonly to: Counts; readonly seconds: number };

type Work = {
  readonly perOrder: Record<Counted | "cpuMs", number>;
  readonly idlePerSecond: Record<Counted | "cpuMs", number>;
};

const withSum = (counts: Counts) => ({
  ...counts,
  cpuMs: counts.productCpuMs + counts.postgresCpuMs,
});

/** Work per order: what was counted while orders ran, less what the same time costs at rest. */
export function workOf(idle: Span, busy: Span, orders: number): Work {
  const resting = countsOf((name) => (idle.to[name] - idle.from[name]) / idle.seconds);
  const ordering = countsOf(
    (name) => (busy.to[name] - busy.from[name] - resting[name] * busy.seconds) / orders,
  );
  return { perOrder: withSum(ordering), idlePerSecond: withSum(resting) };
}

/** The counters above their targets. A counter that could not be read is not above. */
export const missed = ({ perOrder }: Work): string[] =>
  rows
    .filter(([name]) => perOrder[name] > (targets[name] ?? Number.POSITIVE_INFINITY))
    .map(([, label]) => label);

const rows: readonly (readonly [Counted | "cpuMs", string])[] = [
  ["transactions", "transactions"],
  ["fsyncs", "fsyncs of the write-ahead log"],
  ["walBytes", "bytes of write-ahead log"],
  ["walImages", "full pages in it"],
  ["statementWalBytes", "bytes of log by statements"],
  ["insertedRows", "inserted rows"],
  ["statements", "statements"],
  ["logReads", "reads of the log by followers"],
  ["streamReads", "reads of one stream"],
  ["appends", "appends"],
  ["productCpuMs", "CPU of the product, ms"],
  ["postgresCpuMs", "CPU of Postgres, ms"],
  ["cpuMs", "CPU together, ms"],
];

const shown = (value: number): string =>
  Number.isNaN(value)
    ? "not measured"
    : value.toLocaleString("en-GB", { maximumFractionDigits: Math.abs(value) < 1_000 ? 1 : 0 });

const line = (label: string, cells: readonly string[]) =>
  `${label.padEnd(34)}${cells.map((cell) => cell.padStart(16)).join("")}`;

/** Several orders with one payment, counted as one. */
export type Together = { readonly orders: number; readonly work: Work };

export function reportLines(work: Work, together?: Together): string[] {
  const table = rows.map(([name, label]) =>
    line(label, [
      shown(work.perOrder[name]),
      targets[name] === undefined ? "" : shown(targets[name]),
      shown(work.idlePerSecond[name]),
      ...(together ? [shown(together.work.perOrder[name]), shown(inOrders(work, together, name))] : []),
    ]),
  );
  const names = ["per order", "at most", "idle, a second"];
  const ofTogether = together ? [`${together.orders} together`, "in orders"] : [];
  return [line("", [...names, ...ofTogether]), ...table];
}

/** How many orders alone cost as much. */
const inOrders = (alone: Work, { work }: Together, name: Counted | "cpuMs"): number =>
  work.perOrder[name] / alone.perOrder[name];

/** Of the log, what statements write: autovacuum, which writes to it as well, comes when it likes. */
const compared: readonly (Counted | "cpuMs")[] = ["transactions", "fsyncs", "statementWalBytes", "cpuMs"];

/** The counters by which several orders with one payment cost more than they would alone, but for one. */
export const dearTogether = (alone: Work, together: Together): string[] =>
  rows
    .filter(([name]) => compared.includes(name))
    .filter(([name]) => inOrders(alone, together, name) > together.orders - 1)
    .map(([, label]) => `${label} of ${together.orders} together`);

/** The statements that run most often per order, with what each wrote to the write-ahead log. */
export function statementLines(
  from: readonly StatementCalls[],
  to: readonly StatementCalls[],
  orders: number,
  most: number,
): string[] {
  const before = new Map(from.map((each) => [each.text, each]));
  const lines = to
    .map(({ text, calls, walBytes }) => ({
      text: text.replace(/\s+/g, " ").trim().slice(0, 150),
      calls: (calls - (before.get(text)?.calls ?? 0)) / orders,
      walBytes: (walBytes - (before.get(text)?.walBytes ?? 0)) / orders,
    }))
    .toSorted((a, b) => b.calls - a.calls || b.walBytes - a.walBytes)
    .slice(0, most)
    .map(
      ({ text, calls, walBytes }) =>
        `${calls.toFixed(1).padStart(8)}${shown(Math.round(walBytes)).padStart(10)}  ${text}`,
    );
  return ["   calls bytes of log, per order", ...lines];
}
