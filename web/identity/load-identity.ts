import { configInPage, getConfig } from "../site/config.ts";
import type { IdentityPort } from "./identity-port.ts";

/**
 * Loads the configured identity provider only.
 * @throws if loading fails
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
