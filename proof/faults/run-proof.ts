import { parseArgs } from "node:util";
import { OperatorError, wordsForOperator } from "../../infra/process/operator-error.ts";
import { machineLine } from "../figures.ts";
import { faultsOf, type SourceFault } from "./planted.ts";

/** What a proof of the whole product came to: findings, empty when every claim holds, and its counts in words. */
type Outcome = { readonly findings: readonly string[]; readonly summary: string };

/**
 * Runs a proof from the command line, `--plant NAME` with a fault in the product's processes. The process ends with 0
 * when every claim holds, or the planted fault is found, and with 1 otherwise.
 */
export async function runProof<Name extends string>(proof: {
  readonly name: SourceFault["proof"];
  /** Options that take whole numbers from 1, with their defaults. */
  readonly numbers: Readonly<Record<Name, number>>;
  readonly prove: (given: Readonly<Record<Name, number>>, plant: SourceFault | undefined) => Promise<Outcome>;
}): Promise<void> {
  const { name, numbers, prove } = proof;
  try {
    const { given, plant } = optionsGiven(name, numbers);
    const options = Object.entries(given).map(([option, value]) => ` --${option} ${value}`);
    const planted = plant ? ` --plant ${plant.name}` : "";
    console.log(`Command: npm run proof:${name} --${options.join("")}${planted}`);
    console.log(machineLine());
    const begunMs = performance.now();
    const { findings, summary } = await prove(given, plant);
    for (const finding of findings) console.log(finding);
    const seconds = Math.round((performance.now() - begunMs) / 1000);
    console.log(`${summary}; ${seconds} s with the start: ${findings.length} findings`);
    const holds = plant ? findings.some((finding) => plant.finding.test(finding)) : findings.length === 0;
    process.exitCode = holds ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${wordsForOperator(error)}\n`);
    process.exitCode = 1;
  }
}

function optionsGiven<Name extends string>(
  proof: SourceFault["proof"],
  numbers: Readonly<Record<Name, number>>,
) {
  const names = Object.keys(numbers) as Name[];
  const taken = Object.fromEntries(
    [...names, "plant"].map((option) => [option, { type: "string" as const }]),
  );
  const { values } = parseArgs({ options: taken });
  const number = (option: Name): number => {
    const words = values[option];
    const value = words === undefined ? numbers[option] : Number(words);
    if (Number.isInteger(value) && value >= 1) return value;
    throw new OperatorError(`--${option} is "${words}": give a whole number from 1.`);
  };
  const plants = faultsOf(proof);
  const plant = plants.find((fault) => fault.name === values.plant);
  if (values.plant !== undefined && !plant) {
    const known = plants.map((fault) => fault.name).join(", ");
    throw new OperatorError(`There is no fault ${values.plant}: ${known}.`);
  }
  const given = Object.fromEntries(names.map((option) => [option, number(option)])) as Record<Name, number>;
  return { given, plant };
}
