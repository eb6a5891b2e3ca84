import { cpus, loadavg } from "node:os";

/** The value below which a share of all lies; 0 when there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The machine of a run, and how busy it is: part of every report. */
export const machineLine = (): string =>
  `Machine: ${cpus().length} x ${cpus()[0]?.model.trim()}, load ${loadavg()[0]?.toFixed(2)}, Node ${process.version}`;
