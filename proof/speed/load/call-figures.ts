import { quantile } from "../../figures.ts";

/** Latencies of one kind of call, in milliseconds, and its errors. */
type CallFigures = { readonly latenciesMs: number[]; readonly faults: Map<string, number> };

/** All counts of a load run, by kind of call. Bounded by the run's length: one number per call. */
export type LoadFigures = {
  /** A successful call. */
  took(call: string, ms: number): void;
  /** A failed one: a status, a code, or a word for the missing part. */
  failed(call: string, fault: string): void;
  /** Forgets the warm-up's latencies, but not its errors. */
  begin(): void;
  readonly calls: () => ReadonlyMap<string, CallFigures>;
  readonly faults: () => number;
};

export function createLoadFigures(): LoadFigures {
  const calls = new Map<string, CallFigures>();
  const of = (call: string): CallFigures => {
    const known = calls.get(call) ?? { latenciesMs: [], faults: new Map() };
    calls.set(call, known);
    return known;
  };
  return {
    took: (call, ms) => void of(call).latenciesMs.push(ms),
    failed(call, fault) {
      const { faults } = of(call);
      faults.set(fault, (faults.get(fault) ?? 0) + 1);
    },
    begin() {
      for (const { latenciesMs } of calls.values()) latenciesMs.length = 0;
    },
    calls: () => calls,
    faults: () =>
      [...calls.values()].flatMap(({ faults }) => [...faults.values()]).reduce((sum, n) => sum + n, 0),
  };
}

const shares = [0.5, 0.95, 0.99, 1] as const;
const columns = ["per second", "p50 ms", "p95 ms", "p99 ms", "max ms", "count"];

/** The report of a run of this many seconds, one line per kind of call and one per error. */
export function reportLines(figures: LoadFigures, seconds: number): string[] {
  const line = (name: string, cells: readonly string[]) =>
    `${name.padEnd(28)}${cells.map((cell) => cell.padStart(11)).join("")}`;
  const table = [...figures.calls()].map(([call, { latenciesMs }]) => {
    const perSecond = (latenciesMs.length / seconds).toFixed(1);
    return line(call, [
      perSecond,
      ...shares.map((share) => quantile(latenciesMs, share).toFixed(1)),
      String(latenciesMs.length),
    ]);
  });
  const faults = [...figures.calls()].flatMap(([call, calls]) =>
    [...calls.faults].map(([fault, times]) => `FAULT  ${call}: ${fault}, ${times} times`),
  );
  return [line("", columns), ...table, ...faults];
}
