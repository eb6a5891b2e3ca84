import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { z } from "zod";
import { failCommand, WrongCommand } from "../../infra/process/operator-error.ts";
import { commandLine } from "../../infra/setup/command-line.ts";
import { changeSources } from "../change-sources.ts";
import { plants } from "./planted/plants.ts";
import type { Outcome } from "./simulation.ts";

// npm run proof:simulation: lives through the orders of many seeds, and fails if one breaks a rule. With --plant a
// fault is put in, and the run fails unless its own rule notices it.

const orders = z.object({
  first: z.number(),
  step: z.number(),
  end: z.number(),
  story: z.boolean(),
  plant: z.string().optional(),
  /** Shared by all workers, who look between two seeds; 1 once the planted fault was found. */
  enough: z.instanceof(SharedArrayBuffer),
});
type Orders = z.infer<typeof orders>;

async function liveThrough({ first, step, end, story, plant: name, enough }: Orders): Promise<void> {
  const plant = plants.find((each) => each.name === name);
  if (plant?.changes) changeSources(plant.changes);
  const { simulate, takeOver } = await import("./simulation.ts");
  takeOver();
  for (let seed = first; seed < end && Atomics.load(new Int32Array(enough), 0) === 0; seed += step)
    parentPort?.postMessage(await simulate(seed, { story, ...(plant && { plant }) }));
}

function optionsGiven() {
  const { seed, seeds: many, plant, ...given } = commandLine("proof:simulation").options;
  if (plant !== undefined && !plants.some(({ name }) => name === plant))
    throw new WrongCommand(`There is no fault ${plant}: ${plants.map(({ name }) => name).join(", ")}.`);
  const [from, seeds] = seed === undefined ? [given.from, many] : [seed, 1];
  const workers = Math.min(given.workers ?? availableParallelism(), seeds);
  return { from, seeds, story: seed !== undefined, plant, workers };
}

async function run(): Promise<void> {
  const { from, seeds, story, plant, workers: step } = optionsGiven();
  const startedMs = performance.now();
  const totals: Record<string, number> = {};
  let lived = 0;
  const red: number[] = [];
  const workers: Worker[] = [];
  const enough = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  // Workers end by themselves: V8 aborts the process when one is terminated while another still loads modules.
  const stop = () => Atomics.store(new Int32Array(enough), 0, 1);
  const take = ({ seed, counts, violations, story: lines }: Outcome) => {
    lived += 1;
    for (const [what, n] of Object.entries(counts)) totals[what] = (totals[what] ?? 0) + n;
    for (const line of lines) console.log(line);
    if (violations.length === 0) return;
    const { finds = "" } = plants.find(({ name }) => name === plant) ?? {};
    if (!violations.some((words) => words.includes(finds))) return;
    red.push(seed);
    console.log(`seed ${seed}:\n  ${violations.join("\n  ")}`);
    if (plant !== undefined) stop();
  };
  for (let n = 0; n < step; n++) {
    const data: Orders = { first: from + n, step, end: from + seeds, story, plant, enough };
    workers.push(new Worker(new URL(import.meta.url), { workerData: data }).once("error", stop));
  }
  await Promise.all(workers.map((worker) => ended(worker, take)));
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const sums = Object.entries(totals).sort(([one], [other]) => (one < other ? -1 : 1));
  console.log(sums.map(([what, n]) => `${n} ${what}`).join(", "));
  const planted = plant === undefined ? "" : `, planted: ${plant}`;
  console.log(`${lived} seeds from ${from}, ${red.length} red${planted}, ${seconds} s`);
  const [first] = red.sort((one, other) => one - other);
  const again = plant === undefined ? "" : ` --plant ${plant}`;
  if (first !== undefined && !story)
    console.log(`Its story: npm run proof:simulation -- --seed ${first}${again}`);
  process.exitCode = (first === undefined) === (plant === undefined) ? 0 : 1;
}

const ended = (worker: Worker, take: (outcome: Outcome) => void) =>
  new Promise<void>((resolve, reject) => {
    worker.on("message", take);
    worker.on("error", reject);
    worker.on("exit", () => resolve());
  });

if (isMainThread) await run().catch(failCommand);
else await liveThrough(orders.parse(workerData));
