import { WrongCommand } from "../../infra/process/operator-error.ts";
import { machineLine } from "../figures.ts";
import { endWith, typedAgain } from "../run-measurement.ts";
import { type SourceFault, sourceFaults } from "./planted.ts";

/** What a proof of the whole product came to: findings, empty when every claim holds, and its counts in words. */
type Outcome = { readonly findings: readonly string[]; readonly summary: string };

/**
 * Runs a proof from the command line, `--plant NAME` with a fault in the product's processes. The process ends with 0
 * when every claim holds, or the planted fault is found, and with 1 otherwise.
 */
export async function runProof<Options extends { readonly plant: string | undefined }>(
  { name, options }: { readonly name: `proof:${SourceFault["proof"]}`; readonly options: Options },
  prove: (given: Options, plant: SourceFault | undefined) => Promise<Outcome>,
): Promise<void> {
  await endWith(async () => {
    const plant = plantNamed(name, options.plant);
    console.log(`Command: ${typedAgain(name, { ...options })}`);
    console.log(machineLine());
    const begunMs = performance.now();
    const { findings, summary } = await prove(options, plant);
    for (const finding of findings) console.log(finding);
    const seconds = Math.round((performance.now() - begunMs) / 1000);
    console.log(`${summary}; ${seconds} s with the start: ${findings.length} findings`);
    return plant ? findings.some((finding) => plant.finding.test(finding)) : findings.length === 0;
  });
}

function plantNamed(
  command: `proof:${SourceFault["proof"]}`,
  name: string | undefined,
): SourceFault | undefined {
  const plants = sourceFaults.filter(({ proof }) => command === `proof:${proof}`);
  const plant = plants.find((fault) => fault.name === name);
  if (name === undefined || plant) return plant;
  throw new WrongCommand(`There is no fault ${name}: ${plants.map((fault) => fault.name).join(", ")}.`);
}
