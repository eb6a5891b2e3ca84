import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { isAlive } from "../postgres/embedded-process.ts";
import { root, runNode } from "./steps.ts";

const usualPlaces = [
  // The engine without the browser's windows and services: the same pages for less than half the work.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/**
 * CHROMIUM_PATH, else the package's once `npm test` has unpacked it, else the first of the usual paths that exists,
 * else undefined.
 */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH) return existsSync(CHROMIUM_PATH) ? CHROMIUM_PATH : undefined;
  return packagedChromium()?.program() ?? usualPlaces.find((path) => existsSync(path));
}

/** The Chromium from the lockfile: packed in node_modules, and unpacked there by the first tests that need it. */
type PackagedChromium = {
  /** The launcher, with the package's libraries and fonts; undefined until unpacked and tested on this machine. */
  readonly program: () => string | undefined;
  /** Unpacks it if necessary. @returns why it does not run on this machine, undefined when it does */
  readonly unpack: () => Promise<string | undefined>;
};

const drafts = join(root, "node_modules", ".chromium");
const trialTimeoutMs = 60_000;
const launcher = "chromium.sh";

/** Undefined if there is none for this platform, or development packages were omitted. */
export function packagedChromium(): PackagedChromium | undefined {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  const folder = packageFolder();
  if (folder === undefined) return undefined;
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  const unpacked = join(drafts, version);
  const program = () => {
    const path = join(unpacked, launcher);
    return existsSync(path) ? path : undefined;
  };
  return {
    program,
    unpack: async () => (program() === undefined ? await unpackTo(unpacked) : undefined),
  };
}

function packageFolder(): string | undefined {
  try {
    return join(createRequire(import.meta.url).resolve("@sparticuz/chromium"), "..", "..");
  } catch {
    return undefined; // Thrown only when the package is missing.
  }
}

/** Unpacks aside and moves the whole folder into place, so that an interrupted or concurrent run never shows. */
async function unpackTo(place: string): Promise<string | undefined> {
  clearDrafts();
  const draft = join(drafts, `${process.pid}`);
  mkdirSync(draft);
  // The package unpacks to the temporary folder of its process: this file, run as a program.
  const code = await runNode(import.meta.filename, [], { TMPDIR: draft });
  if (code !== 0) return "its package could not be unpacked, see the errors above";
  writeLauncher(draft, place);
  const trial = spawnSync(join(draft, launcher), ["--version"], {
    encoding: "utf8",
    timeout: trialTimeoutMs,
  });
  if (trial.status !== 0) {
    rmSync(draft, { recursive: true, force: true });
    return trial.stderr.trim().split("\n")[0] || (trial.error?.message ?? `it ended with ${trial.status}`);
  }
  try {
    renameSync(draft, place);
  } catch (error) {
    if (!existsSync(join(place, launcher))) throw error;
    rmSync(draft, { recursive: true, force: true }); // Another run was quicker.
  }
  return undefined;
}

/** @param place the folder's final path; the system's fonts come first, and a bare machine has none */
function writeLauncher(folder: string, place: string): void {
  writeFileSync(
    join(folder, "fonts.conf"),
    `<?xml version="1.0"?>
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${place}/fonts</dir>
  <cachedir>${place}/fonts-cache</cachedir>
</fontconfig>
`,
  );
  writeFileSync(
    join(folder, launcher),
    `#!/bin/sh
here=$(dirname "$0")
export LD_LIBRARY_PATH="$here/al2023/lib" FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/chromium" "$@"
`,
    { mode: 0o755 },
  );
}

/** Drafts carry the pid of their process; those of dead processes are removed. */
function clearDrafts(): void {
  mkdirSync(drafts, { recursive: true });
  for (const name of readdirSync(drafts)) {
    if (/^\d+$/.test(name) && !isAlive(Number(name)))
      rmSync(join(drafts, name), { recursive: true, force: true });
  }
}

/** Unpacks the package's Chromium with its fonts, and the libraries missing on a bare machine, if it knows the machine. */
async function unpackHere(): Promise<void> {
  const { default: chromium, inflate } = await import("@sparticuz/chromium");
  await chromium.executablePath();
  await inflate(
    join(fileURLToPath(import.meta.resolve("@sparticuz/chromium")), "..", "..", "bin", "al2023.tar.br"),
  );
}

if (import.meta.main) await unpackHere();
