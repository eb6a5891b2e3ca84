import type { Config } from "../../infra/config/config.ts";
import type { InstallationSecrets } from "../../infra/key-ring/installation-secrets.ts";
import { asksForSecret } from "../providers/sandbox/from-here.ts";
import { sandboxKeysOf } from "../providers/sandbox/sandbox-keys.ts";
import { standInsOf } from "./provider-modes.ts";

/** What to print at the start where the sandbox's pages ask for a secret; undefined where they do not, or where there is none. */
export async function sandboxNotice(
  { providers, PUBLIC_URL }: Pick<Config, "providers" | "PUBLIC_URL">,
  secrets: Pick<InstallationSecrets, "secret">,
): Promise<string | undefined> {
  const isThere = standInsOf(providers).size > 0 || providers.clerk === undefined;
  if (!isThere || !asksForSecret(PUBLIC_URL)) return undefined;
  const { pagesSecret } = sandboxKeysOf(await secrets.secret("sandbox"));
  return `Sandbox: its pages and its sign-in (/sandbox/identity/unlock) answer on this machine alone and ask for the secret ${pagesSecret}`;
}
