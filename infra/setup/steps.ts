import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The project's folder. */
export const root = join(import.meta.dirname, "..", "..");

const require = createRequire(import.meta.url);

/** The file behind a package's command, so that it runs on this very Node and not on whichever is first on the PATH. */
export function commandFile(packageName: string, path: string): string {
  return join(dirname(require.resolve(`${packageName}/package.json`)), path);
}

/** Runs a Node script with its output shown; answers its exit code (1 when a signal ended it). @throws AbortError when given up */
export function runNode(
  file: string,
  args: readonly string[],
  env: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<number> {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
    ...(signal ? { signal } : {}),
  });
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("exit", (code) => done(code ?? 1));
  });
}

/** Types, and lint with format and borders. Each answers whether it passed. */
export const checks: readonly { name: string; run: () => Promise<boolean> }[] = [
  {
    name: "types",
    run: async () => (await runNode(commandFile("typescript", "bin/tsc"), ["-p", "."])) === 0,
  },
  {
    name: "lint",
    run: async () =>
      (await runNode(commandFile("@biomejs/biome", "bin/biome"), ["check", "--error-on-warnings", "."])) ===
      0,
  },
];
