import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";

// The heap limit of processes started by `npm start` and similar: without one the heap grows to several times the live
// data. What they compiled is kept: a process that compiles takes more memory.

const megabyte = 1024 * 1024;

let root: string;
beforeEach(() => {
  root = temporaryFolder("heap");
  mkdirSync(join(root, "infra", "setup"), { recursive: true });
  cpSync(join(import.meta.dirname, "run.mjs"), join(root, "infra", "setup", "run.mjs"));
});

/** The heap limit in megabytes, as printed by a script with this name that runs a child process. */
function limitOf(script: string, options?: string, env: Record<string, string> = {}): number {
  mkdirSync(dirname(join(root, script)), { recursive: true });
  const say = "process.stdout.write(String(require('node:v8').getHeapStatistics().heap_size_limit))";
  const child = `import { spawnSync } from "node:child_process";
    process.stdout.write(spawnSync(process.execPath, ["--eval", ${JSON.stringify(say)}]).stdout);`;
  writeFileSync(join(root, script), child);
  const ran = spawnSync(process.execPath, [join(root, "infra", "setup", "run.mjs"), script], {
    env: {
      PATH: process.env.PATH,
      SKIP_INSTALL: "1",
      ...(options !== undefined && { NODE_OPTIONS: options }),
      ...env,
    },
    encoding: "utf8",
  });
  expect(ran.stderr).toBe("");
  return Number(ran.stdout) / megabyte;
}

/** V8 adds room for young objects: three times 8 MB. */
const about = (limit: number, megabytes: number) => {
  expect(limit).toBeGreaterThanOrEqual(megabytes);
  expect(limit).toBeLessThanOrEqual(megabytes + 24);
};

describe("the heap of a server process", () => {
  it.each([
    "services/composition/processes/product.ts",
    "services/composition/processes/gateway.ts",
    "services/composition/processes/worker.ts",
    "services/composition/processes/sandbox.ts",
    "services/operations/cluster/main.ts",
    "projections/main.ts",
  ])("is limited to 1 GB, also for its child processes: %s", (script) => about(limitOf(script), 1024));

  it("has the operator's limit if set, alongside other options", () => {
    about(limitOf("services/composition/processes/product.ts", "--max-old-space-size=300"), 300);
    about(limitOf("services/composition/processes/product.ts", "--no-warnings"), 1024);
  });

  it("has the same limit in the image", () => {
    expect(readFileSync(join(import.meta.dirname, "..", "..", "Dockerfile"), "utf8")).toContain(
      'NODE_OPTIONS="--max-old-space-size=1024 --max-semi-space-size=8"',
    );
  });
});

describe("what Node compiled", () => {
  const script = "services/composition/processes/product.ts";
  const compiled = () => join(root, "node_modules", ".compiled");

  it("is kept beside the packages, for later starts", () => {
    limitOf(script);
    expect(readdirSync(compiled())).not.toEqual([]);
  });

  it("is kept where the operator says", () => {
    const elsewhere = temporaryFolder("compiled");
    limitOf(script, undefined, { NODE_COMPILE_CACHE: elsewhere });
    expect(existsSync(compiled())).toBe(false);
    expect(readdirSync(elsewhere)).not.toEqual([]);
  });
});

it("leaves a command's heap at Node's default", () => {
  const limit = limitOf("services/operations/audit/main.ts");
  const [bare] = [
    spawnSync(process.execPath, ["--print", "v8.getHeapStatistics().heap_size_limit"], { env: {} }),
  ];
  expect(limit).toBe(Number(String(bare.stdout)) / megabyte);
});
