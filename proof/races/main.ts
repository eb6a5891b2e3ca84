import { parseArgs } from "node:util";
import { OperatorError, wordsForOperator } from "../../infra/process/operator-error.ts";
import { faultsOf } from "../faults/planted.ts";
import { machineLine } from "../figures.ts";
import { race } from "./races.ts";

// npm run proof:races [-- --orders 10000 --callers 4 --seed 1 --plant NAME]: sends each command of many orders several
// times at once to two gateways, and fails unless it is carried out once and answered alike. With --plant a fault is put
// into the processes, and the run fails unless it is found.

const plants = faultsOf("races");

function optionsGiven() {
  const { values } = parseArgs({
    options: {
      orders: { type: "string", default: "10000" },
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
    `Command: npm run proof:races -- --orders ${orders} --callers ${callers} --seed ${seed}${planted}`,
  );
  console.log(machineLine());
  const begunMs = performance.now();
  const submittedWithinMs = 120_000 + orders * 100;
  const report = await race({ orders, callers, seed, plant: plant?.name, submittedWithinMs });
  for (const finding of report.findings) console.log(finding);
  const seconds = Math.round((performance.now() - begunMs) / 1000);
  console.log(
    `${report.orders} orders, ${report.requests} requests, ${report.changedBodies} changed bodies, ${seconds} s with the start: ${report.findings.length} findings`,
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
