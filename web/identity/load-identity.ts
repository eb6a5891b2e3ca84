import { getConfig } from "../api/get-config.ts";
import { configInPage } from "../known.ts";
import type { IdentityPort } from "./identity-port.ts";

/**
 * Loads the identity provider that this installation is configured for; no other is loaded.
 * @throws Error for a provider that this build does not know; whatever loading throws
 */
export async function loadIdentity(): Promise<IdentityPort> {
  const { modes } = configInPage() ?? (await getConfig());
  if (modes.identity !== "sandbox") throw new Error("This build knows no sign-in but the sandbox's.");
  const { sandboxIdentity } = await import("./sandbox/sandbox-identity.ts");
  return sandboxIdentity;
}
