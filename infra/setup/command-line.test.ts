import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";

const root = join(import.meta.dirname, "..", "..");
const prefix = "node infra/setup/run.mjs ";
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
const described = z
  .record(z.string(), z.object({ options: z.record(z.string(), z.string()).optional(), example: z.string() }))
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, "commands.json"), "utf8")));

/** The commands with their files and fixed arguments. */
const commands = Object.entries(scripts).flatMap(([name, line]) =>
  line.startsWith(prefix) ? [{ name, words: line.slice(prefix.length).split(" ") }] : [],
);

/** A copy without packages and programs: whatever is installed, started or written fails, or is seen. */
const bare = temporaryFolder("help");
mkdirSync(join(bare, "infra", "setup"), { recursive: true });
for (const file of ["run.mjs", "command-line.mjs", "commands.json"])
  cpSync(join(import.meta.dirname, file), join(bare, "infra", "setup", file));
cpSync(join(root, "package.json"), join(bare, "package.json"));

const run = (words: readonly string[], typed: readonly string[]) =>
  spawnSync(process.execPath, [join(bare, "infra", "setup", "run.mjs"), ...words, ...typed], {
    env: { PATH: "" },
    encoding: "utf8",
  });

it("describes every command, and no other", () => {
  expect(Object.keys(described).toSorted()).toEqual(commands.map(({ name }) => name).toSorted());
});

it.each(commands)("$name answers --help, and does nothing else", ({ name, words }) => {
  const { status, stdout, stderr } = run(words, ["--help"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain(`Usage: npm ${["start", "test"].includes(name) ? "" : "run "}${name} --`);
  expect(stdout).toContain(`Example: ${described[name]?.example}`);
  for (const option of Object.keys(described[name]?.options ?? {})) expect(stdout).toContain(`--${option}`);
  expect(readdirSync(bare).toSorted()).toEqual(["infra", "package.json"]);
});

it.each(commands)("$name has the options that are described", ({ name, words: [file = ""] }) => {
  const folder = dirname(join(root, file));
  const sources = readdirSync(folder).filter((each) => each.endsWith(".ts") && !each.endsWith(".test.ts"));
  const code = [...sources.map((each) => join(folder, each)), ...shared.map((each) => join(root, each))]
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");
  for (const words of Object.keys(described[name]?.options ?? {})) {
    const [option = ""] = words.split(" ");
    expect(code, option).toMatch(new RegExp(`\\b${option}(": \\{|: |")`));
  }
});

/** Where measurements and proofs take the options that they have in common. */
const shared = ["proof/command-line.ts", "proof/faults/run-proof.ts"];

it.each([
  ["load", ["--unknown"], "Unknown option '--unknown'."],
  ["load", ["--rate"], "Option '--rate <value>' argument missing."],
  ["doctor", ["--jsn"], "Unknown option '--jsn'."],
  ["start", ["fast"], "Unexpected argument 'fast'."],
])("%s refuses %j with a sentence and the usage", (name, typed, sentence) => {
  const { words = [] } = commands.find((each) => each.name === name) ?? {};
  const { status, stdout, stderr } = run(words, typed);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr.split("\n").slice(0, 2)).toEqual([sentence, expect.stringContaining("Usage: npm ")]);
});
