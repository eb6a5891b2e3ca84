import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { inject } from "vitest";
import { type Prepare, type Product, startProduct as startProcess } from "../system/product-process.ts";

export { type Product, seedProduct } from "../system/product-process.ts";

/** What a test would otherwise wait for. */
const shortWaits = {
  PURGE_AFTER_SECONDS: "1",
  SWEEP_EVERY_SECONDS: "1",
  CHECKPOINT_EVERY_SECONDS: "1",
  SUBMISSION_REQUESTED_WITHIN_SECONDS: "2",
};

/**
 * The product for a file of browser tests, with short waits unless `env` says otherwise, on a copy of a migrated
 * database: to make one takes a quarter of what a start costs.
 */
export const startProduct = (env: Record<string, string> = {}, prepare?: Prepare): Promise<Product> =>
  startProcess({ ...shortWaits, ...env }, async (settings) => {
    mkdirSync(settings.DATA_DIR, { recursive: true });
    // Files keep their owner: Postgres runs as no other.
    execFileSync("cp", ["-a", `${inject("migratedData")}/.`, settings.DATA_DIR]);
    await prepare?.(settings);
  });
