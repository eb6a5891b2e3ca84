import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "../../infra/postgres/embedded.ts";
import { migrate } from "../../infra/postgres/migrate.ts";
import { buildWebWhenChanged } from "../../infra/setup/build-web.ts";
import { provideChromium } from "./provide-programs.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A data folder with a migrated database, for products to start on copies of. */
    migratedData: string;
  }
}

/** Vitest's global set-up for the browser tests: a Chromium that runs here, the current pages, a migrated database. */
export default async function setup(project: TestProject): Promise<() => void> {
  const failure = await provideChromium();
  if (failure !== undefined) throw new Error(`The browser tests cannot run: ${failure}.`);
  await buildWebWhenChanged();
  const directory = mkdtempSync(join(tmpdir(), "certificates-migrated-"));
  const server = await startEmbedded({ directory });
  await migrate(server.connectionString);
  await server.stop();
  project.provide("migratedData", directory);
  return () => rmSync(directory, { recursive: true, force: true });
}
