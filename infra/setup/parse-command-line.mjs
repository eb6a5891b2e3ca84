// The one parser of command lines. Only modules of Node 20.19: it answers before anything is installed.
import { readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const prefix = "node infra/setup/run.mjs ";
const readJson = (...path) => JSON.parse(readFileSync(join(...path), "utf8"));
const commands = readJson(import.meta.dirname, "commands.json");

const bracketed = (does, more) => (more === undefined ? does : `${does.replace(/\.$/, "")} (${more}).`);

const rangeOf = ({ from, to }) => `from ${from}${to === undefined ? "" : ` to ${to}`}`;

const usageOf = (name, { operand, options = {} }) => {
  const words = operand && `${operand.takes}${operand.many ? "..." : ""}`;
  return [
    `Usage: npm ${name === "start" || name === "test" ? name : `run ${name}`} --`,
    ...(operand ? [operand.required ? words : `[${words}]`] : []),
    ...(Object.keys(options).length > 0 ? ["[options]"] : ["[--help]"]),
  ].join(" ");
};

function helpOf(name, command) {
  const rows = Object.entries(command.options ?? {}).map(
    ([option, { takes, many, does, default: usual }]) => [
      [`--${option}`, ...(takes ? [takes] : []), ...(many ? ["..."] : [])].join(" "),
      bracketed(does, usual),
    ],
  );
  if (command.operand?.does) rows.unshift([command.operand.takes, command.operand.does]);
  rows.push(["-h, --help", "Shows this help."]);
  const width = Math.max(...rows.map(([words]) => words.length));
  return [
    ...[usageOf(name, command), "", command.does, "", "Options (defaults in brackets):"],
    ...rows.map(([words, does]) => `  ${words.padEnd(width)}  ${does}`),
    ...(command.passesOn ? ["", `Other options are passed on to ${command.passesOn}.`] : []),
    ...["", "Settings are read from the environment: see .env.example.", ""],
    ...[`Example: ${command.example}`, ""],
  ].join("\n");
}

/** What was typed is wrong, in a sentence. */
class Misused extends Error {}

function readValue(option, { from, to, default: usual, takes, many }, typed) {
  if (typed === undefined) return usual ?? (takes === undefined ? false : many ? [] : undefined);
  if (from === undefined) return typed;
  const number = /^\d+$/.test(typed) ? Number(typed) : Number.NaN;
  if (number >= from && number <= (to ?? Number.MAX_SAFE_INTEGER)) return number;
  throw new Misused(`--${option} is "${typed}": give a whole number ${rangeOf({ from, to })}.`);
}

/** A value that may be left out is then empty. */
const withEmptyValues = (options, typed) =>
  typed.map((word, at) =>
    options[word.slice(2)]?.takes?.startsWith("[") && (typed[at + 1] ?? "--").startsWith("--")
      ? `${word}=`
      : word,
  );

function valuesOf(command, typed) {
  const { operand, options = {} } = command;
  const flags = Object.keys(options).map((option) => `--${option}`);
  const passedOn = command.passesOn ? typed.filter((word) => !flags.includes(word)) : [];
  const { values, positionals } = parseArgs({
    args: command.passesOn ? typed.filter((word) => flags.includes(word)) : withEmptyValues(options, typed),
    allowPositionals: operand !== undefined,
    options: Object.fromEntries(
      Object.entries(options).map(([option, { takes, many = false }]) => [
        option,
        { type: takes === undefined ? "boolean" : "string", multiple: many },
      ]),
    ),
  });
  if (positionals.length > 1) throw new Misused(`Unexpected argument '${positionals[1]}'.`);
  if (operand?.required && positionals.length === 0)
    throw new Misused(`${operand.takes} is missing${operand.does ? `: ${operand.does}` : "."}`);
  return {
    operand: positionals[0],
    passedOn,
    options: Object.fromEntries(
      Object.entries(options).map(([option, described]) => [
        option,
        readValue(option, described, values[option]),
      ]),
    ),
  };
}

/** What is wrong with an option, in a sentence; undefined if another error. */
function sentenceOf(error) {
  if (error instanceof Misused) return error.message;
  if (!String(error.code).startsWith("ERR_PARSE_ARGS_")) return undefined;
  // Node adds advice on arguments that begin with a dash, which no command of ours accepts.
  const [words] = error.message.split(/[.\n]/);
  return `${words}.`;
}

/** The values typed for a command, or the answer to give in its place. */
function parse(name, typed) {
  const command = commands[name];
  if (typed.includes("--help") || typed.includes("-h"))
    return { answer: { code: 0, words: helpOf(name, command) } };
  try {
    return { given: { name, ...valuesOf(command, typed) } };
  } catch (error) {
    const sentence = sentenceOf(error);
    if (sentence === undefined) throw error;
    return { answer: { code: 2, words: `${sentence}\n${usageOf(name, command)}\n` } };
  }
}

/** Prints the answer at once, even to a pipe, and ends the process. */
function endWith({ code, words }) {
  writeSync(code === 0 ? 1 : 2, words);
  process.exit(code);
}

export function commandLine(name, typed = process.argv.slice(2)) {
  const { answer, given } = parse(name, typed);
  return answer ? endWith(answer) : given;
}

/** Answers --help and wrong options of an npm script before anything is installed. */
export function answerBeforeRunning(root, given) {
  const { scripts } = readJson(root, "package.json");
  const [script] = Object.entries(scripts)
    .map(([name, line]) => ({
      name,
      words: line.startsWith(prefix) ? line.slice(prefix.length).split(" ") : [],
    }))
    .filter(({ words }) => words.length > 0 && words.every((word, n) => word === given[n]))
    // The same file may be two commands, one with an argument more.
    .sort((one, other) => other.words.length - one.words.length);
  if (script && commands[script.name]) commandLine(script.name, given.slice(script.words.length));
}
