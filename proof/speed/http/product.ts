import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../../../infra/postgres/embedded.ts";
import { startProduct } from "../../../testing/system/product-process.ts";

/** As `npm start` sets them for a server (`infra/setup/run.mjs`). */
const heap = "--max-old-space-size=1024 --max-semi-space-size=8";

type Measured = { readonly port: number; readonly connectionString: string; readonly pid: number };

/** Starts a durable Postgres on a folder of its own. @returns its address */
export async function startServer(closing: AsyncDisposableStack): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "certificates-measured-"));
  closing.defer(() => rmSync(directory, { recursive: true, force: true }));
  const { connectionString, stop } = await startEmbedded({ directory });
  closing.defer(() => stop());
  return connectionString;
}

/** Starts the product on a database, for many customers behind one address. */
export async function startProductOn(
  closing: AsyncDisposableStack,
  connectionString: string,
  env: Record<string, string> = {},
): Promise<Measured> {
  const product = await startProduct({
    DATABASE_URL: connectionString,
    TRUST_PROXY: "1",
    NODE_OPTIONS: heap,
    LOG_LEVEL: "error",
    ...env,
  });
  closing.defer(() => product.dispose().then(() => undefined));
  return { port: Number(new URL(product.url).port), connectionString, pid: product.pid() };
}

/** Starts the product on a durable Postgres of its own. */
export const startMeasured = async (
  closing: AsyncDisposableStack,
  env: Record<string, string> = {},
): Promise<Measured> => startProductOn(closing, await startServer(closing), env);
