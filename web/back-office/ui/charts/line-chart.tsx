import { useId } from "react";

/** One line of a chart; `values` follow the chart's labels, null for no data. */
export interface Series {
  readonly name: string;
  readonly colour: "primary" | "processing" | "fulfilled" | "pending" | "cancelled";
  readonly values: readonly (number | null)[];
}

interface LineChartProps {
  readonly title: string;
  /** Labels of the time axis, oldest first. */
  readonly labels: readonly string[];
  /** Table header of the labels: 'Day'. */
  readonly labelHeader: string;
  readonly series: readonly Series[];
  /** '£45.00', '12 s'. */
  readonly format: (value: number) => string;
}

/** An SVG line chart with a dash pattern per line, and the same figures as a table. */
export function LineChart({ title, labels, labelHeader, series, format }: LineChartProps) {
  const id = useId();
  const top = niceTop(Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0))));
  return (
    <figure aria-labelledby={id} className="min-w-0">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 id={id}>{title}</h3>
        <Legend series={series} />
      </figcaption>
      <div className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-13 text-muted" aria-hidden="true">
        <div className="flex flex-col justify-between text-end tabular-nums">
          <span>{format(top)}</span>
          <span>{format(0)}</span>
        </div>
        <Lines series={series} top={top} />
        <span />
        <div className="mt-1 flex justify-between tabular-nums">
          <span>{labels[0]}</span>
          <span>{labels.at(-1)}</span>
        </div>
      </div>
      <Figures {...{ title, labels, labelHeader, series, format }} />
    </figure>
  );
}

const dashes = [undefined, "6 4", "2 4", "10 4 2 4", "1 3"] as const;

const strokeOf = (colour: Series["colour"]): string => `var(--color-${colour})`;

function Legend({ series }: Pick<LineChartProps, "series">) {
  if (series.length < 2) return null;
  return (
    <span className="flex flex-wrap gap-x-4 text-13 text-muted">
      {series.map(({ name, colour }, at) => (
        <span key={name} className="inline-flex items-center gap-1.5">
          <svg width="20" height="6" aria-hidden="true">
            <line
              x1="0"
              x2="20"
              y1="3"
              y2="3"
              stroke={strokeOf(colour)}
              strokeWidth="2"
              strokeDasharray={dashes[at]}
            />
          </svg>
          {name}
        </span>
      ))}
    </span>
  );
}

function Lines({ series, top }: { series: readonly Series[]; top: number }) {
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="h-32 w-full border-y border-hairline"
      aria-hidden="true"
    >
      <line x1="0" x2={width} y1={height / 2} y2={height / 2} stroke="var(--color-hairline)" />
      {series.map(({ name, colour, values }, at) => (
        <path
          key={name}
          className="chart-line"
          d={pathOf(values, top)}
          stroke={strokeOf(colour)}
          strokeDasharray={dashes[at]}
        />
      ))}
    </svg>
  );
}

function Figures({ title, labels, labelHeader, series, format }: LineChartProps) {
  return (
    <details className="mt-2 text-13">
      <summary className="inline-block cursor-pointer text-primary">Show as a table</summary>
      <div className="mt-2 max-h-72 overflow-auto" tabIndex={-1}>
        <table className="data-table">
          <caption className="sr-only">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{labelHeader}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col" data-align="end">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, at) => (
              <tr key={label}>
                <td data-header={labelHeader}>{label}</td>
                {series.map(({ name, values }) => (
                  <td key={name} data-align="end" data-header={name}>
                    <Value value={values[at] ?? null} format={format} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

const Value = ({ value, format }: { value: number | null; format: LineChartProps["format"] }) =>
  value === null ? <span className="text-muted">–</span> : <span>{format(value)}</span>;

/** Size in SVG units. */
const width = 600;
const height = 160;

/** An SVG path with gaps for missing values; an isolated value is a short level line. */
function pathOf(values: readonly (number | null)[], top: number): string {
  const step = width / Math.max(1, values.length - 1);
  const half = Math.min(step / 2, width / 60);
  const point = (at: number, value: number) =>
    `${round(at)},${round(height - (value / top) * (height - 4) - 2)}`;
  return values
    .map((value, at) => {
      if (value === null) return "";
      const [before, after] = [values[at - 1] ?? null, values[at + 1] ?? null];
      if (before !== null) return `L${point(at * step, value)}`;
      if (after !== null) return `M${point(at * step, value)}`;
      return `M${point(Math.max(0, at * step - half), value)}L${point(Math.min(width, at * step + half), value)}`;
    })
    .join("");
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Top of the scale: the smallest of 1, 2, 5, 10, 20, 50… that is not below `most`. */
function niceTop(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((factor) => factor * power).find((top) => top >= most) ?? most;
}
