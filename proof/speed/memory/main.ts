import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { OperatorError } from "../../../infra/process/operator-error.ts";
import { commandLine, type OptionsOf } from "../../../infra/setup/command-line.ts";
import { runMeasurement } from "../../run-measurement.ts";
import { openConnection } from "../http/callers.ts";
import { createCustomers } from "../http/customers.ts";
import { startMeasured } from "../http/product.ts";

// npm run proof:memory [-- --orders 100000 --seed 1 --only-report]: the resident memory of the product's process at rest,
// while orders are opened on 32 connections, and a minute later. Linux only.

const mostAtRestMb = 150;
const mostMb = 300;
const connections = 32;
const steps = 10;
const laterMs = 60_000;
const controlMb = 400;

/** Resident memory of a process now, or the most so far. @throws Error where there is no /proc */
function residentMb(pid: number | "self", which: "VmRSS" | "VmHWM"): number {
  const line = new RegExp(`^${which}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Math.round(Number(line?.[1]) / 1024);
}

/** @throws OperatorError when memory that this process takes is not seen */
function control(): void {
  const before = residentMb("self", "VmRSS");
  const taken = Buffer.alloc(controlMb * 1024 * 1024, 1);
  const seen = residentMb("self", "VmRSS") - before;
  console.log(`Control: ${taken.length / 1024 / 1024} MB taken by this script are seen as ${seen} MB`);
  if (Math.abs(seen - controlMb) > controlMb / 10)
    throw new OperatorError("The memory of a process is not what it takes.");
}

/** An installation's first start takes more: the following ones read what it compiled (`infra/setup/run.mjs`). */
async function compile(): Promise<void> {
  await using closing = new AsyncDisposableStack();
  await startMeasured(closing);
}

async function measure({ orders, seed }: OptionsOf<"proof:memory">): Promise<boolean> {
  await compile();
  await using closing = new AsyncDisposableStack();
  const { port, pid } = await startMeasured(closing);
  const customers = createCustomers(seed);
  const began = performance.now();
  const say = (when: string): number => {
    const resident = residentMb(pid, "VmRSS");
    console.log(`${when.padEnd(24)}${resident} MB`);
    return resident;
  };

  async function open(count: number): Promise<void> {
    let left = count;
    await Promise.all(
      Array.from({ length: connections }, async () => {
        await using connection = await openConnection(port);
        while (left-- > 0) await connection.ask(customers.order());
      }),
    );
  }

  const atRest = say("at rest");
  for (let step = 1; step <= steps; step++) {
    const [from, to] = [step - 1, step].map((nth) => Math.round((nth * orders) / steps));
    await open((to ?? 0) - (from ?? 0));
    say(`${to} orders`);
  }
  const seconds = (performance.now() - began) / 1000;
  await delay(laterMs);
  say("a minute later");
  const most = residentMb(pid, "VmHWM");
  console.log(`At most ${most} MB, at ${(orders / seconds).toFixed(0)} orders a second`);
  control();

  const targets = [
    { words: `at most ${mostAtRestMb} MB at rest`, isMet: atRest <= mostAtRestMb },
    { words: `at most ${mostMb} MB after ${orders} orders`, isMet: most <= mostMb },
  ];
  console.log("");
  for (const { words, isMet } of targets) console.log(`Target, ${words}: ${isMet ? "met" : "MISSED"}.`);
  return targets.every(({ isMet }) => isMet);
}

await runMeasurement(commandLine("proof:memory"), measure);
