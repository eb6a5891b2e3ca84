import type { Config } from "../../../infra/config/config.ts";
import { freePort } from "../../../infra/process/free-port.ts";
import type { Role } from "../../../infra/setup/kept-process.ts";
import { sandboxedOf, sandboxMailAddress } from "../../composition/provider-modes.ts";
import type { Upstream } from "./proxy.ts";

export type Plan = {
  /** With only the settings that the plan decides. */
  readonly roles: readonly Role[];
  readonly gateways: readonly Upstream[];
  /** Undefined if all providers are real. */
  readonly sandbox: Upstream | undefined;
};

type Shared = {
  readonly databaseUrl: string;
  /** Undefined: the job queue is in the database, and each gateway counts requests separately. */
  readonly redisUrl: string | undefined;
  /** Without a trailing slash: the site's address for browsers. */
  readonly publicUrl: string;
  /** The front proxy's. */
  readonly port: number;
};

/** Two of each: enough to show that no single process is needed. */
const ofEach = [1, 2];
const here = "127.0.0.1";

/**
 * Ports behind the proxy are any free ones, kept when a process restarts. HEALTH_PORT, if set, is the first process's;
 * the others take the following ports.
 */
export async function planCluster(config: Config, shared: Shared): Promise<Plan> {
  const sandboxed = sandboxedOf(config.providers);
  const sandbox = sandboxed.size > 0 ? { host: here, port: await freePort() } : undefined;
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
  // One listener, for whichever process sends a mail: the sandbox returns it there.
  const mailIn =
    sandboxed.has("mail") && !config.providers.mailIn
      ? { MAIL_IN_ADDRESS: sandboxMailAddress, MAIL_IN_URL: `lmtp://${here}:${await freePort()}` }
      : {};
  let nextHealthPort = config.HEALTH_PORT;
  const healthPort = async () => String(nextHealthPort === undefined ? await freePort() : nextHealthPort++);
  const role = async (name: string, file: string, env: Record<string, string> = {}): Promise<Role> => ({
    name,
    file,
    env: { ...common, ...mailIn, HEALTH_PORT: await healthPort(), ...env },
  });
  const roles: Role[] = sandbox
    ? [await role("sandbox", "services/composition/processes/sandbox.ts", { HOST: config.HOST })]
    : [];
  const gateways: Upstream[] = [];
  for (const number of ofEach) {
    const port = await freePort();
    gateways.push({ host: here, port });
    roles.push(
      await role(`projections-${number}`, "projections/main.ts"),
      await role(
        `worker-${number}`,
        "services/composition/processes/worker.ts",
        number === 1 ? {} : { MAIL_IN_URL: "" },
      ),
      await role(`gateway-${number}`, "services/composition/processes/gateway.ts", { PORT: String(port) }),
    );
  }
  return { roles, gateways, sandbox };
}
