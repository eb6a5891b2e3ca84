import { parseArgs } from "node:util";
import { OperatorError, wordsForOperator } from "../infra/process/operator-error.ts";
import { machineLine } from "./figures.ts";

/** Whole numbers by the names of their options, with their defaults: from 0 where that is the default, and else from 1. */
export type Numbers<Name extends string> = Readonly<Record<Name, number>>;

/**
 * Runs a script that measures: prints its command and the machine, and ends with 1 when a claim fails, unless
 * `--only-report` was given.
 */
export async function runMeasurement<Name extends string>(script: {
  /** As `npm run` knows it. */
  readonly name: string;
  readonly numbers: Numbers<Name>;
  /** @returns whether all claims hold */
  readonly measure: (given: Numbers<Name>) => Promise<boolean>;
}): Promise<void> {
  const { name, numbers, measure } = script;
  await endWith(async () => {
    const { given, flags } = takeOptions(numbers, ["only-report"]);
    console.log(commandLine(name, given));
    console.log(machineLine());
    const holds = await measure(given);
    if (!holds && flags.has("only-report")) console.log("Only reported: this ends with 0.");
    return holds || flags.has("only-report");
  });
}

export const commandLine = (name: string, given: Numbers<string>, more = ""): string =>
  `Command: npm run ${name} --${Object.entries(given)
    .map(([option, value]) => ` --${option} ${value}`)
    .join("")}${more}`;

/** Ends the process with 0 if what was claimed holds, and with 1 if not, or after an error. */
export async function endWith(prove: () => Promise<boolean>): Promise<void> {
  try {
    process.exitCode = (await prove()) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${wordsForOperator(error)}\n`);
    process.exitCode = 1;
  }
}

/** The options given. @throws OperatorError for what is not a whole number from the least on */
export function takeOptions<Name extends string, Flag extends string = never, Word extends string = never>(
  numbers: Numbers<Name>,
  flags: readonly Flag[] = [],
  words: readonly Word[] = [],
): {
  readonly given: Numbers<Name>;
  readonly flags: ReadonlySet<Flag>;
  readonly words: ReadonlyMap<Word, string>;
} {
  const names = Object.keys(numbers) as Name[];
  const options = Object.fromEntries([
    ...[...names, ...words].map((option) => [option, { type: "string" as const }]),
    ...flags.map((option) => [option, { type: "boolean" as const }]),
  ]);
  const values: Readonly<Record<string, unknown>> = parseArgs({ options }).values;
  const number = (option: Name): number => {
    const typed = values[option];
    const least = Math.min(1, numbers[option]);
    const value = typed === undefined ? numbers[option] : Number(typed);
    if (Number.isInteger(value) && value >= least) return value;
    throw new OperatorError(`--${option} is "${typed}": give a whole number from ${least}.`);
  };
  return {
    given: Object.fromEntries(names.map((option) => [option, number(option)])) as Numbers<Name>,
    flags: new Set(flags.filter((flag) => values[flag] === true)),
    words: new Map(
      words.flatMap((word) => {
        const typed = values[word];
        return typeof typed === "string" ? [[word, typed] as const] : [];
      }),
    ),
  };
}
