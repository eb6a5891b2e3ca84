import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../infra/setup/steps.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** What one of the two test commands prints and ends with. */
type Run = { readonly says: string; readonly code: number };

const there = [
  "redis-server",
  "go",
  "postfix",
  "dovecot",
  "swaks",
  "chromium-headless-shell",
  "apt-get",
  "sudo",
];

/** The end of `.ci/run` with an npm that runs nothing, on a machine that has everything. */
function endOf(tests: Run, faults: Run) {
  const folder = temporaryFolder("ci-run");
  const program = (name: string, ...lines: string[]) =>
    writeFileSync(join(folder, name), ["#!/bin/sh", ...lines, ""].join("\n"), { mode: 0o755 });
  for (const name of there) program(name);
  const does = ({ says, code }: Run) => `printf '%s\\n' "${says}"; exit ${code};;`;
  program(
    "npm",
    'case "$*" in',
    `"test -- --require-everything") ${does(tests)}`,
    `"run test:faults -- --require-everything") ${does(faults)}`,
    "esac",
    "exit 9",
  );
  const { status, stdout } = spawnSync("bash", [join(root, ".ci", "run")], {
    encoding: "utf8",
    env: { PATH: `${folder}:${process.env.PATH}`, TMPDIR: folder },
  });
  return { status, line: stdout.trimEnd().split("\n").at(-1) };
}

const green: Run = { says: "40 passed, 0 failed", code: 0 };

it("adds the tests and the proofs under faults", () => {
  expect(endOf(green, { says: "2 passed, 0 failed", code: 0 })).toEqual({
    status: 0,
    line: "42 passed, 0 failed",
  });
});

it.each<[string, Run, Run, string]>([
  ["the tests failed", { says: "39 passed, 1 failed", code: 1 }, green, "79 passed, 1 failed"],
  ["the proofs failed", green, { says: "1 passed, 2 failed", code: 1 }, "41 passed, 2 failed"],
  ["the tests printed no count", { says: "npm error", code: 1 }, green, "40 passed, 1 failed"],
  ["the proofs printed no count, yet ended well", green, { says: "", code: 0 }, "40 passed, 1 failed"],
  ["a run ended badly after a good count", green, { ...green, code: 1 }, "80 passed, 1 failed"],
])("fails where %s", (_, tests, faults, line) => {
  expect(endOf(tests, faults)).toEqual({ status: 1, line });
});
