import type { IdentityPort } from "../identity-port.ts";
import { clerkPages } from "./clerk-pages.tsx";
import { clerkSessions } from "./clerk-sessions.ts";
import { startClerk } from "./start-clerk.tsx";

/** Loads the hosted identity provider. @throws Error when it cannot be loaded */
export async function loadClerk(publishableKey: string): Promise<IdentityPort> {
  const clerk = await startClerk(publishableKey);
  return { ...clerkSessions(clerk), ...clerkPages(clerk) };
}
