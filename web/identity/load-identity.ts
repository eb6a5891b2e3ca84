import { configInPage, getConfig } from "../site/config.ts";
import type { IdentityPort } from "./identity-port.ts";

/**
 * Loads the identity provider that this installation is configured for; no other is loaded.
 * @throws whatever loading throws
 */
export async function loadIdentity(): Promise<IdentityPort> {
  const { clerkPublishableKey } = configInPage() ?? (await getConfig());
  if (clerkPublishableKey !== null) {
    const { loadClerk } = await import("./clerk/load-clerk.ts");
    return loadClerk(clerkPublishableKey);
  }
  const { sandboxIdentity } = await import("./sandbox/sandbox-identity.ts");
  return sandboxIdentity;
}
