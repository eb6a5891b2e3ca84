// What every command answers before it runs. Only modules of Node 20.19: nothing is installed yet.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const prefix = "node infra/setup/run.mjs ";
const readJson = (...path) => JSON.parse(readFileSync(join(...path), "utf8"));

/** The npm script that runs this, and the arguments typed after it; undefined if no script does. */
function scriptOf(root, given) {
  const { scripts } = readJson(root, "package.json");
  const [script] = Object.entries(scripts)
    .map(([name, line]) => ({
      name,
      words: line.startsWith(prefix) ? line.slice(prefix.length).split(" ") : [],
    }))
    .filter(({ words }) => words.length > 0 && words.every((word, n) => word === given[n]))
    // The same file may be two commands, one with an argument more.
    .sort((one, other) => other.words.length - one.words.length);
  return script && { name: script.name, typed: given.slice(script.words.length) };
}

/** "seen FILE ..." takes a value, several times; "afresh" takes none. */
const optionOf = (words) => {
  const [name, value, more] = words.split(" ");
  return [name, { type: value === undefined ? "boolean" : "string", multiple: more !== undefined }];
};

const usageOf = (name, { operands, options = {} }) =>
  [
    `Usage: npm ${name === "start" || name === "test" ? name : `run ${name}`} --`,
    ...(operands === undefined ? [] : [operands]),
    ...(Object.keys(options).length > 0 ? ["[options]"] : ["[--help]"]),
  ].join(" ");

function helpOf(name, command) {
  const rows = Object.entries({ ...command.options, help: "Shows this help." });
  const width = Math.max(...rows.map(([words]) => words.length));
  return [
    ...[usageOf(name, command), "", command.does, "", "Options (defaults in brackets):"],
    ...rows.map(([words, does]) => `  --${words.padEnd(width)}  ${does}`),
    ...(command.passesOn ? ["", `Other options are passed on to ${command.passesOn}.`] : []),
    ...[
      "",
      "Settings are read from the environment: see .env.example.",
      "",
      `Example: ${command.example}`,
      "",
    ],
  ].join("\n");
}

/**
 * The help that was asked for, or what is wrong with the options; undefined if the command should run.
 * @param given the file to run, and its arguments
 */
export function answerBeforeRunning(root, given) {
  const script = scriptOf(root, given);
  const command = script && readJson(import.meta.dirname, "commands.json")[script.name];
  if (!command) return undefined;
  const { name, typed } = script;
  if (typed.includes("--help") || typed.includes("-h")) return { code: 0, words: helpOf(name, command) };
  if (command.passesOn) return undefined;
  try {
    parseArgs({
      args: typed,
      allowPositionals: command.operands !== undefined,
      options: Object.fromEntries(Object.keys(command.options ?? {}).map(optionOf)),
    });
    return undefined;
  } catch (error) {
    if (!String(error.code).startsWith("ERR_PARSE_ARGS_")) throw error;
    // Node adds advice on arguments that begin with a dash, which no command of ours accepts.
    const [words] = error.message.split(/[.\n]/);
    return { code: 2, words: `${words}.\n${usageOf(name, command)}\n` };
  }
}
