import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";

// Which Node runs a script where no package brings one.

let root: string;
beforeEach(() => {
  root = temporaryFolder("node");
  mkdirSync(join(root, "infra", "setup"), { recursive: true });
  cpSync(join(import.meta.dirname, "run.mjs"), join(root, "infra", "setup", "run.mjs"));
  writeFileSync(join(root, "script.ts"), "process.stdout.write('ran');");
});

/** Runs the script on a Node that says it has this version. */
function runOn(version: string) {
  const claim = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`;
  return spawnSync(
    process.execPath,
    [
      ...["--import", `data:text/javascript,${encodeURIComponent(claim)}`],
      ...[join(root, "infra", "setup", "run.mjs"), "script.ts"],
    ],
    { env: { PATH: process.env.PATH, SKIP_INSTALL: "1" }, encoding: "utf8" },
  );
}

it.each(["24.2.0", "24.21.0", "25.0.0"])("Node %s runs it", (version) => {
  expect(runOn(version)).toMatchObject({ status: 0, stdout: "ran", stderr: "" });
});

it.each(["20.19.0", "23.11.0", "24.1.0"])("Node %s is refused, with what to install", (version) => {
  const { status, stdout, stderr } = runOn(version);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toContain("This needs Node 24.2");
});
