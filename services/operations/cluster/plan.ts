import type { Config } from "../../../infra/config/config.ts";
import { freePort } from "../../../infra/process/free-port.ts";
import type { Role } from "../../../infra/setup/kept-process.ts";
import { standInsOf } from "../../composition/provider-modes.ts";
import type { Upstream } from "./gateways.ts";

/** Which processes make up a cluster on this machine, and where each listens. */
export type Plan = {
  readonly roles: readonly Role[];
  readonly gateways: readonly Upstream[];
  /** Undefined where all providers are real. */
  readonly sandbox: Upstream | undefined;
};

/** What all of them share. */
export type Shared = {
  readonly databaseUrl: string;
  /** Undefined: the job queue is in the database, and each gateway counts requests for itself. */
  readonly redisUrl: string | undefined;
  /** Without a trailing slash: what browsers call the site. */
  readonly publicUrl: string;
  /** Of the proxy in front. */
  readonly port: number;
};

/** Two of each: as few as show that none is needed. */
const ofEach = [1, 2];
const here = "127.0.0.1";

/**
 * The ports behind the proxy are any free ones, which stay the same when a process is started again. HEALTH_PORT, where it is given, is the
 * first process's; each of the others has the next.
 */
export async function planCluster(config: Config, shared: Shared): Promise<Plan> {
  const hasSandbox = standInsOf(config.providers).size > 0;
  const sandbox = hasSandbox ? { host: here, port: await freePort() } : undefined;
  const common = {
    HOST: here,
    PUBLIC_URL: shared.publicUrl,
    DATABASE_URL: shared.databaseUrl,
    REDIS_URL: shared.redisUrl ?? "",
    KEY_DIR: config.KEY_DIR,
    TRUST_PROXY: "1",
    SKIP_WEB_BUILD: "1",
    SANDBOX_URL: sandbox ? `http://${here}:${sandbox.port}` : "",
    SANDBOX_CARD_PORT: String(config.SANDBOX_CARD_PORT || (await freePort())),
    SANDBOX_SMTP_PORT: String(await freePort()),
    SANDBOX_DELIVERS_TO: `http://${here}:${shared.port}`,
  };
  let nextHealthPort = config.HEALTH_PORT;
  const healthPort = async () => String(nextHealthPort === undefined ? await freePort() : nextHealthPort++);
  const role = async (name: string, file: string, env: Record<string, string> = {}): Promise<Role> => ({
    name,
    file,
    env: { ...common, HEALTH_PORT: await healthPort(), ...env },
  });
  const roles: Role[] = sandbox
    ? [await role("sandbox", "services/providers/sandbox/main.ts", { HOST: config.HOST })]
    : [];
  const gateways: Upstream[] = [];
  for (const number of ofEach) {
    const port = await freePort();
    gateways.push({ host: here, port });
    roles.push(
      await role(`projections-${number}`, "projections/main.ts"),
      await role(`worker-${number}`, "services/worker/main.ts"),
      await role(`gateway-${number}`, "services/gateway/main.ts", { PORT: String(port) }),
    );
  }
  return { roles, gateways, sandbox };
}
