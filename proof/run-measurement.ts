import { failCommand } from "../infra/process/operator-error.ts";
import type { CommandLine, CommandName } from "../infra/setup/command-line.ts";
import { machineLine } from "./figures.ts";

/**
 * Runs a script that measures: prints its command and the machine, and ends with 1 when a claim fails, unless
 * `--only-report` was given.
 * @param measure resolves to whether all claims hold
 */
export async function runMeasurement<Options extends { readonly "only-report": boolean }>(
  { name, options }: Pick<CommandLine<CommandName>, "name"> & { readonly options: Options },
  measure: (given: Options) => Promise<boolean>,
): Promise<void> {
  await endWith(async () => {
    console.log(`Command: ${typedAgain(name, options)}`);
    console.log(machineLine());
    const holds = await measure(options);
    if (!holds && options["only-report"]) console.log("Only reported: this ends with 0.");
    return holds || options["only-report"];
  });
}

/** The command with every option that has a value, as one would type it to repeat the run. */
export const typedAgain = (
  name: CommandName,
  options: Readonly<Record<string, string | number | boolean | undefined>>,
): string =>
  [
    `npm run ${name} --`,
    ...Object.entries(options).flatMap(([option, value]) => {
      if (value === undefined || value === false) return [];
      return value === true ? [`--${option}`] : [`--${option} ${value}`];
    }),
  ].join(" ");

/** Ends the process with 0 if what was claimed holds, and with 1 if not, or after an error. */
export async function endWith(prove: () => Promise<boolean>): Promise<void> {
  try {
    process.exitCode = (await prove()) ? 0 : 1;
  } catch (error) {
    failCommand(error);
  }
}
