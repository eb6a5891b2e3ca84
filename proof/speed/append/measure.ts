import { fork } from "node:child_process";
import { join } from "node:path";
import { quantile } from "../../figures.ts";
import { type WorkOrder, type WorkReport, workReport } from "./drivers.ts";

export type Figures = { perSecond: number; p50Ms: number; p99Ms: number };

/** What is asked of all processes together. */
type Appends = WorkOrder & { readonly processes: number };

function runWorker(order: WorkOrder): Promise<WorkReport> {
  const worker = fork(join(import.meta.dirname, "worker.ts"));
  return new Promise((resolve, reject) => {
    worker.once("message", (message) => resolve(workReport.parse(message)));
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`A worker ended with ${code} before it reported.`)));
    worker.send(order);
  });
}

/** Appends durably from some processes, which share the callers. */
export async function measureAppends({ processes, callers, name, ...order }: Appends): Promise<Figures> {
  const reports = await Promise.all(
    Array.from({ length: processes }, (_, n) =>
      runWorker({ ...order, callers: callers / processes, name: `${name}-${n}` }),
    ),
  );
  const latenciesMs = reports.flatMap((report) => report.latenciesMs);
  return {
    perSecond: (latenciesMs.length / order.measureMs) * 1000,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
  };
}
