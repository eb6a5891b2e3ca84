import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../../../infra/postgres/embedded.ts";
import { startProduct } from "../../../testing/system/product-process.ts";

/** Starts the product, on a durable Postgres and folders of its own, for many customers behind one address. */
export async function startMeasured(
  closing: AsyncDisposableStack,
  env: Record<string, string> = {},
): Promise<{ readonly port: number; readonly connectionString: string; readonly pid: number }> {
  const directory = mkdtempSync(join(tmpdir(), "certificates-measured-"));
  closing.defer(() => rmSync(directory, { recursive: true, force: true }));
  const { connectionString, stop } = await startEmbedded({ directory });
  closing.defer(() => stop());
  const product = await startProduct({
    DATABASE_URL: connectionString,
    TRUST_PROXY: "1",
    LOG_LEVEL: "error",
    ...env,
  });
  closing.defer(() => product.dispose().then(() => undefined));
  return { port: Number(new URL(product.url).port), connectionString, pid: product.pid() };
}
