import { spawnSync } from "node:child_process";
import { lint, types } from "../../infra/setup/check.ts";
import { commandLine } from "../../infra/setup/command-line.ts";
import { commandFile, root, runNode } from "../../infra/setup/steps.ts";

// npm run test:quick: types, lint of the files that changed and the unit tests that they can reach, side by side. For
// the hand that edits.

const git = (...args: readonly string[]): string | undefined => {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
};

/** The commit that the change began at: where it left the branch that it follows, else the last commit. */
const base = commandLine("test:quick").operand ?? git("merge-base", "HEAD", "@{upstream}") ?? "HEAD";

/** Files that changed since, new ones too, but not removed ones. */
const changed = [
  git("diff", "--name-only", "--diff-filter=d", base),
  git("ls-files", "--others", "--exclude-standard"),
].flatMap((names) => names?.split("\n").filter(Boolean) ?? []);

const unitTests = async () =>
  (await runNode(commandFile("vitest", "vitest.mjs"), [
    ...["run", "--project=unit", `--changed=${base}`],
    ...["--passWithNoTests", "--reporter=dot"],
  ])) === 0;

const tries = [types, ...(changed.length > 0 ? [lint(changed)] : []), { name: "unit tests", run: unitTests }];

const startedMs = performance.now();
const results = await Promise.all(
  tries.map(async ({ name, run }) => ({
    name,
    passed: await run(),
  })),
);
for (const { name, passed } of results) console.log(`${name}: ${passed ? "passed" : "failed"}`);
const failed = results.filter(({ passed }) => !passed).length;
const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
console.log(`Tried what changed since ${base}, in ${seconds} s.`);
process.exit(failed === 0 ? 0 : 1);
