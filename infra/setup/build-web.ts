import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isAlive } from "../postgres/embedded-process.ts";
import { OperatorError } from "../process/operator-error.ts";
import { commandFile, root, runNode } from "./steps.ts";

/** The built web app. */
export const webFolder = join(root, "web", "dist");
const stampName = ".built-from";
const stamp = join(webFolder, stampName);
const drafts = join(root, "node_modules", ".web-builds");

/** Whether the web app was built from the current sources. */
export function builtWeb(): "missing" | "stale" | "current" {
  if (!existsSync(stamp)) return "missing";
  return readFileSync(stamp, "utf8") === fingerprint() ? "current" : "stale";
}

/**
 * Rebuilds the web app when its sources have changed. Builds aside and swaps the whole folder, so that an interrupted
 * or concurrent build never shows.
 * @throws Error when the build fails; the build tool has printed why
 */
export async function buildWebWhenChanged(signal?: AbortSignal): Promise<void> {
  if (builtWeb() === "current") return;
  const wanted = fingerprint();
  clearDrafts();
  const draft = join(drafts, `${process.pid}`);
  const code = await runNode(
    commandFile("vite", "bin/vite.js"),
    [
      "build",
      "--config",
      "web/vite.config.ts",
      "--logLevel",
      "warn",
      "--outDir",
      draft,
      // Outside web/: Vite would warn without this option.
      "--emptyOutDir",
    ],
    { NODE_ENV: "production" },
    signal,
  );
  signal?.throwIfAborted();
  if (code !== 0) throw new OperatorError("The web app could not be built: see the errors above.");
  writeFileSync(join(draft, stampName), wanted);
  rmSync(webFolder, { recursive: true, force: true });
  mkdirSync(dirname(webFolder), { recursive: true });
  renameSync(draft, webFolder);
}

/** Drafts carry the pid of their process; those of dead processes are removed. */
function clearDrafts(): void {
  mkdirSync(drafts, { recursive: true });
  for (const name of readdirSync(drafts)) {
    if (!isAlive(Number(name))) rmSync(join(drafts, name), { recursive: true, force: true, maxRetries: 10 });
  }
}

function fingerprint(): string {
  const hash = createHash("sha256");
  for (const path of [
    ...sources("web"),
    ...sources("contract"),
    ...sources("domain"),
    join(root, "package-lock.json"),
    join(root, "tsconfig.json"),
  ]) {
    hash.update(relative(root, path)).update("\0").update(readFileSync(path)).update("\0");
  }
  return hash.digest("hex");
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (path) =>
        !path.startsWith(webFolder) && !path.includes(`${join("web", "e2e")}`) && !path.includes(".test."),
    )
    .sort();
}
