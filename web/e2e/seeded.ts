import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "..", "..");

/** Fills a product's folders with invented orders and tickets, as `npm run seed` does. */
export async function seedProduct(settings: Record<string, string>): Promise<void> {
  await promisify(execFile)(process.execPath, [join(root, "services", "operations", "seed", "main.ts")], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "test", NODE_NO_WARNINGS: "1", ...settings },
  });
}
