import { parseArgs } from "node:util";
import { OperatorError, wordsForOperator } from "../../infra/process/operator-error.ts";
import { faultsOf } from "../faults/planted.ts";
import { machineLine } from "../figures.ts";
import { harass } from "./webhooks.ts";

// npm run proof:webhooks [-- --orders 1000 --callers 4 --seed 1 --plant NAME]: passes the sandbox's webhooks on late,
// several times, in another order and again, with forged ones among them, and fails unless each paid order is paid and
// submitted once, and no other. With --plant a fault is put into the processes, and the run fails unless it is found.

const plants = faultsOf("webhooks");

function optionsGiven() {
  const { values } = parseArgs({
    options: {
      orders: { type: "string", default: "1000" },
      callers: { type: "string", default: "4" },
      seed: { type: "string", default: "1" },
      plant: { type: "string" },
    },
  });
  const number = (name: "orders" | "callers" | "seed"): number => {
    const given = Number(values[name]);
    if (Number.isInteger(given) && given >= 1) return given;
    throw new OperatorError(`--${name} is "${values[name]}": give a whole number from 1.`);
  };
  const plant = plants.find(({ name }) => name === values.plant);
  if (values.plant !== undefined && !plant)
    throw new OperatorError(
      `There is no fault ${values.plant}: ${plants.map(({ name }) => name).join(", ")}.`,
    );
  return { orders: number("orders"), callers: number("callers"), seed: number("seed"), plant };
}

async function run(): Promise<boolean> {
  const { orders, callers, seed, plant } = optionsGiven();
  const planted = plant ? ` --plant ${plant.name}` : "";
  console.log(
    `Command: npm run proof:webhooks -- --orders ${orders} --callers ${callers} --seed ${seed}${planted}`,
  );
  console.log(machineLine());
  const begunMs = performance.now();
  const submittedWithinMs = 120_000 + orders * 100;
  const report = await harass({
    ...{ orders, callers, seed, plant: plant?.name, submittedWithinMs },
    latestMs: 10_000,
  });
  for (const finding of report.findings) console.log(finding);
  const seconds = Math.round((performance.now() - begunMs) / 1000);
  const { paid, declined, left, webhooks, copies, replays, forgeries, findings } = report;
  console.log(
    `${paid} orders paid, ${declined} declined, ${left} left; ${webhooks} webhooks, ${copies} copies, ${replays} replays, ${forgeries} forgeries; ${seconds} s with the start: ${findings.length} findings`,
  );
  return plant
    ? report.findings.some((finding) => plant.finding.test(finding))
    : report.findings.length === 0;
}

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${wordsForOperator(error)}\n`);
  process.exitCode = 1;
}
