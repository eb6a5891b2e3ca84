import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { commandFile, root, runNode } from "./steps.ts";

/** Where the built web app lies. */
export const webFolder = join(root, "web", "dist");
const stamp = join(webFolder, ".built-from");

/**
 * Builds the web app when what it is made of has changed since the last build.
 * @throws Error when the build fails; the build tool has printed why
 */
export async function buildWebWhenChanged(): Promise<void> {
  const wanted = fingerprint();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  const code = await runNode(
    commandFile("vite", "bin/vite.js"),
    ["build", "--config", "web/vite.config.ts", "--logLevel", "warn"],
    { NODE_ENV: "production" },
  );
  if (code !== 0) throw new Error("The web app could not be built: the reasons are printed above.");
  writeFileSync(stamp, wanted);
}

function fingerprint(): string {
  const hash = createHash("sha256");
  for (const path of [
    ...sources("web"),
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
