import { parseArgs } from "node:util";
import { OperatorError, wordsForOperator } from "../../infra/process/operator-error.ts";
import { faultsOf } from "../faults/planted.ts";
import { machineLine } from "../figures.ts";
import { killUnderLoad } from "./kills.ts";

// npm run proof:kills [-- --kills 1000 --callers 4 --seed 1 --plant NAME]: kills the product's processes, Postgres and
// Redis with -9 while customers order, and fails unless all that was acknowledged is in the log, nothing was done twice
// and the read models are the fold of the log. With --plant a fault is put into the processes, and the run fails unless
// it is found.

const plants = faultsOf("kills");
const recoversWithinMs = 180_000;
/** A planted fault may leave the product unable to go on: that is not waited for. */
const plantRecoversWithinMs = 15_000;

function optionsGiven() {
  const { values } = parseArgs({
    options: {
      kills: { type: "string", default: "1000" },
      callers: { type: "string", default: "4" },
      seed: { type: "string", default: "1" },
      plant: { type: "string" },
    },
  });
  const number = (name: "kills" | "callers" | "seed"): number => {
    const given = Number(values[name]);
    if (Number.isInteger(given) && given >= 1) return given;
    throw new OperatorError(`--${name} is "${values[name]}": give a whole number from 1.`);
  };
  const plant = plants.find(({ name }) => name === values.plant);
  if (values.plant !== undefined && !plant)
    throw new OperatorError(
      `There is no fault ${values.plant}: ${plants.map(({ name }) => name).join(", ")}.`,
    );
  return { kills: number("kills"), callers: number("callers"), seed: number("seed"), plant };
}

async function run(): Promise<boolean> {
  const { kills, callers, seed, plant } = optionsGiven();
  const planted = plant ? ` --plant ${plant.name}` : "";
  console.log(
    `Command: npm run proof:kills -- --kills ${kills} --callers ${callers} --seed ${seed}${planted}`,
  );
  console.log(machineLine());
  const begunMs = performance.now();
  const report = await killUnderLoad({
    ...{ kills, callers, seed, plant },
    recoversWithinMs: plant ? plantRecoversWithinMs : recoversWithinMs,
    say: (words) => console.log(`${new Date().toISOString()} ${words}`),
  });
  for (const finding of report.findings) console.log(finding);
  const seconds = Math.round((performance.now() - begunMs) / 1000);
  console.log(machineLine());
  const killed = Object.entries(report.kills).map(([name, times]) => `${times} x ${name}`);
  console.log(`Killed: ${killed.join(", ")}; ${report.underLoad} of them while a request was under way`);
  const { orders, requests, repeated, acknowledged, mails, mailedAgain, findings } = report;
  console.log(
    `${orders} orders, ${requests} requests, ${repeated} sent again, ${acknowledged} acknowledged; ${mails} mails, ${mailedAgain} sent again; ${seconds} s with the start: ${findings.length} findings`,
  );
  return plant ? findings.some((finding) => plant.finding.test(finding)) : findings.length === 0;
}

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${wordsForOperator(error)}\n`);
  process.exitCode = 1;
}
