import type { IdentityPort } from "../identity-port.ts";
import { clerkSessions } from "./clerk-identity.ts";
import { clerkPages } from "./clerk-pages.tsx";
import { startClerk } from "./start-clerk.tsx";

/** The hosted identity provider. @throws Error when it cannot be loaded */
export async function loadClerk(publishableKey: string): Promise<IdentityPort> {
  return { ...clerkSessions(await startClerk(publishableKey)), ...clerkPages(publishableKey) };
}
