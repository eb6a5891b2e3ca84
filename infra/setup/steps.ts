import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The project's folder. */
export const root = join(import.meta.dirname, "..", "..");

const require = createRequire(import.meta.url);

/** The script behind a package's command: it then runs on this Node, not on the first one on the PATH. */
export function commandFile(packageName: string, path: string): string {
  return join(dirname(require.resolve(`${packageName}/package.json`)), path);
}

/** Runs a Node script, showing its output; resolves to its exit code, 1 if killed. @throws AbortError when cancelled */
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
