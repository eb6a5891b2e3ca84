import { OperatorError } from "../../infra/process/operator-error.ts";
import { commandLine, endWith, type Numbers, takeOptions } from "../command-line.ts";
import { machineLine } from "../figures.ts";
import { faultsOf, type SourceFault } from "./planted.ts";

/** What a proof of the whole product came to: findings, empty when every claim holds, and its counts in words. */
type Outcome = { readonly findings: readonly string[]; readonly summary: string };

/**
 * Runs a proof from the command line, `--plant NAME` with a fault in the product's processes. The process ends with 0
 * when every claim holds, or the planted fault is found, and with 1 otherwise.
 */
export async function runProof<Name extends string, Flag extends string = never>(proof: {
  readonly name: SourceFault["proof"];
  /** Options that take whole numbers from 1, with their defaults. */
  readonly numbers: Numbers<Name>;
  readonly flags?: readonly Flag[];
  readonly prove: (
    given: Numbers<Name>,
    plant: SourceFault | undefined,
    flags: ReadonlySet<Flag>,
  ) => Promise<Outcome>;
}): Promise<void> {
  const { name, numbers, prove } = proof;
  await endWith(async () => {
    const { given, flags, words } = takeOptions(numbers, proof.flags, ["plant"]);
    const plant = plantNamed(name, words.get("plant"));
    const more = [...[...flags].map((flag) => ` --${flag}`), plant ? ` --plant ${plant.name}` : ""].join("");
    console.log(commandLine(`proof:${name}`, given, more));
    console.log(machineLine());
    const begunMs = performance.now();
    const { findings, summary } = await prove(given, plant, flags);
    for (const finding of findings) console.log(finding);
    const seconds = Math.round((performance.now() - begunMs) / 1000);
    console.log(`${summary}; ${seconds} s with the start: ${findings.length} findings`);
    return plant ? findings.some((finding) => plant.finding.test(finding)) : findings.length === 0;
  });
}

function plantNamed(proof: SourceFault["proof"], name: string | undefined): SourceFault | undefined {
  const plants = faultsOf(proof);
  const plant = plants.find((fault) => fault.name === name);
  if (name === undefined || plant) return plant;
  throw new OperatorError(`There is no fault ${name}: ${plants.map((fault) => fault.name).join(", ")}.`);
}
