import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { startProduct } from "./product-process.ts";

afterEach(() => vi.unstubAllEnvs());

it("starts the product with its own settings and in its own folder, whatever the caller's are", async () => {
  vi.stubEnv("DATABASE_URL", "postgres://127.0.0.1:9/of-the-operator");
  // It does not start without the folder, and looks for it where it looks for `.env`.
  const product = await startProduct({ KEY_MIRROR_DIR: "mirror" }, async ({ DATA_DIR }) => {
    mkdirSync(join(dirname(DATA_DIR), "mirror"));
  });
  expect(await product.dispose()).toBe(0);
});
