import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { commandLine } from "./command-line.ts";

const root = join(import.meta.dirname, "..", "..");
const prefix = "node infra/setup/run.mjs ";
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
const described = z
  .record(
    z.string(),
    z.object({ options: z.record(z.string(), z.unknown()).optional(), example: z.string() }),
  )
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, "commands.json"), "utf8")));

/** The commands with their files and fixed arguments. */
const commands = Object.entries(scripts).map(([name, line]) => ({
  name,
  words: line.slice(prefix.length).split(" "),
}));

/** A copy without packages and programs: whatever is installed, started or written fails, or is seen. */
const bare = temporaryFolder("help");
mkdirSync(join(bare, "infra", "setup"), { recursive: true });
for (const file of ["run.mjs", "parse-command-line.mjs", "commands.json"])
  cpSync(join(import.meta.dirname, file), join(bare, "infra", "setup", file));
cpSync(join(root, "package.json"), join(bare, "package.json"));

const run = (file: string, typed: readonly string[]) =>
  spawnSync(process.execPath, [file, ...typed], { cwd: bare, env: { PATH: "" }, encoding: "utf8" });

it("describes every script of npm, and no other", () => {
  expect(Object.values(scripts).filter((line) => !line.startsWith(prefix))).toEqual([]);
  expect(Object.keys(described).toSorted()).toEqual(Object.keys(scripts).toSorted());
});

it.each(commands)("$name answers --help, and does nothing else", ({ name, words }) => {
  const { status, stdout, stderr } = run(join(bare, "infra", "setup", "run.mjs"), [...words, "--help"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain(`Usage: npm ${["start", "test"].includes(name) ? "" : "run "}${name} --`);
  expect(stdout).toContain(`Example: ${described[name]?.example}`);
  expect(stdout).toMatch(/^ {2}-h, --help +Shows this help\.$/m);
  for (const option of Object.keys(described[name]?.options ?? {})) expect(stdout).toContain(`--${option}`);
  expect(readdirSync(bare).toSorted()).toEqual(["infra", "package.json"]);
});

it.each(commands)(
  "$name reads its command line by the same parser when its file is run",
  ({ name, words: [file = ""] }) => {
    expect(readFileSync(join(root, file), "utf8")).toMatch(
      new RegExp(`\\b(commandLine|runProcess)\\(\\s*"${name}"`),
    );
  },
);

it.each(["doctor", "keys:rotate"])("%s answers -h also when its file is run", (name) => {
  const { words: [file = ""] = [] } = commands.find((each) => each.name === name) ?? {};
  const { status, stdout, stderr } = run(join(root, file), ["-h"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain(`Usage: npm run ${name} --`);
});

it.each([
  ["load", ["--unknown"], "Unknown option '--unknown'."],
  ["load", ["--rate"], "Option '--rate <value>' argument missing."],
  ["load", ["--rate", "--url"], "Option '--rate' argument is ambiguous."],
  ["load", ["--rate", "many"], '--rate is "many": give a whole number from 1 to 5000.'],
  ["audit", ["--at-once", "33"], '--at-once is "33": give a whole number from 1 to 32.'],
  ["audit", ["--at-once", "1.5"], '--at-once is "1.5": give a whole number from 1 to 32.'],
  ["proof:races", ["--orders", "0"], '--orders is "0": give a whole number from 1.'],
  ["doctor", ["--jsn"], "Unknown option '--jsn'."],
  ["doctor", ["--json=yes"], "Option '--json' does not take an argument."],
  ["start", ["fast"], "Unexpected argument 'fast'."],
  ["verify", ["one", "two"], "Unexpected argument 'two'."],
  ["verify", [], "FILE is missing."],
])("%s refuses %j with a sentence and the usage", (name, typed, sentence) => {
  const { words = [] } = commands.find((each) => each.name === name) ?? {};
  // Without arguments the file itself answers, once everything is installed.
  const file = typed.length === 0 ? join(root, words[0] ?? "") : join(bare, "infra", "setup", "run.mjs");
  const { status, stdout, stderr } = run(file, typed.length === 0 ? [] : [...words, ...typed]);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr.split("\n").slice(0, 2)).toEqual([sentence, expect.stringContaining("Usage: npm ")]);
});

it.each([
  ["keys:rotate", ["audit", "--revoke"]],
  ["projections:rebuild", ["nonsense"]],
  ["events:copy", ["--from", "postgres", "--to", "postgres"]],
  ["witness", ["--folder", "x", "--name", "y"]],
  ["load", ["--rate", "1", "--callers", "1"]],
  ["proof:races", ["--plant", "nonsense"]],
  ["proof:fuzz", ["--plant", "nonsense"]],
  ["proof:simulation", ["--plant", "nonsense"]],
  ["proof:privacy", ["--people", "100000"]],
])("%s ends with 2 for %j, which only the command can tell to be wrong", (name, typed) => {
  const { words: [file = ""] = [] } = commands.find((each) => each.name === name) ?? {};
  const { status, stdout } = run(join(root, file), typed);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
});

it("gives numbers, words and flags, with their defaults", () => {
  const usual = {
    ...{ "new-events": false, seen: [], "at-once": 2 },
    ...{ afresh: false, accept: undefined, "rebuild-tree": false },
  };
  expect(commandLine("audit", []).options).toEqual(usual);
  expect(commandLine("audit", ["--new-events", "--at-once", "4", "--seen", "a", "--seen=b"]).options).toEqual(
    { ...usual, "new-events": true, "at-once": 4, seen: ["a", "b"] },
  );
  expect(commandLine("verify", ["file", "--key", "k"])).toMatchObject({
    ...{ operand: "file", options: { key: ["k"] } },
  });
});

it("takes a value that may be left out for empty", () => {
  expect(commandLine("audit", ["--accept", "0123abcd"]).options.accept).toBe("0123abcd");
  expect(commandLine("audit", ["--accept"]).options.accept).toBe("");
  expect(commandLine("audit", ["--accept", "--at-once", "1"]).options).toMatchObject({
    ...{ accept: "", "at-once": 1 },
  });
});

it("passes on what Vitest takes", () => {
  const { options, passedOn } = commandLine("test", ["domain", "-t", "x y", "--require-everything"]);
  expect([options, passedOn]).toEqual([{ "require-everything": true }, ["domain", "-t", "x y"]]);
});
