import type { Config } from "../../infra/config/config.ts";
import { expectFree, freePort } from "../../infra/process/free-port.ts";

/**
 * The port of the site, which nobody else listens on, and what browsers call us, without a trailing slash.
 * @throws the server's error, such as EADDRINUSE
 */
export async function findOwnAddress(
  config: Pick<Config, "HOST" | "PORT" | "PUBLIC_URL">,
): Promise<{ readonly port: number; readonly url: string }> {
  const port = config.PORT === 0 ? await freePort() : config.PORT;
  await expectFree(config.HOST, port);
  return { port, url: config.PUBLIC_URL ?? `http://localhost:${port}` };
}
