import type { ClerkClient } from "@clerk/backend";
import { z } from "zod";
import { type IdentityProvider, IdentityUnavailable } from "../../identity/identity-provider.ts";
import { type ClerkCalls, ClerkRefusal, inPieces, unlessNotFound } from "./clerk-calls.ts";

/** The most that a list of sessions holds: https://clerk.com/docs/reference/backend-api (sessions). */
const sessionsAtOnce = 100;
const revokedTogether = 5;
/** Nobody has a thousand sessions at once; whoever seems to is an answer that never changes. */
const mostRounds = 10;
/** Sessions that give tokens, or may yet: who has a task left to do, such as a new password, is pending. */
const openStatuses = ["active", "pending"] as const;

const session = z.object({ id: z.string(), status: z.string() });
const sessions = z.object({ data: z.array(session) });

/**
 * Ends sessions at Clerk.
 * @throws (from its methods) IdentityUnavailable
 */
export function sessionEnds(
  clerk: ClerkClient["sessions"],
  ask: ClerkCalls,
): Pick<IdentityProvider, "endSession" | "endSessionsOf"> {
  async function isOpen(sessionId: string): Promise<boolean> {
    const found = await unlessNotFound(ask(async () => session.parse(await clerk.getSession(sessionId))));
    return openStatuses.some((status) => status === found?.status);
  }

  async function endSession(sessionId: string): Promise<void> {
    try {
      await ask(() => clerk.revokeSession(sessionId));
    } catch (error) {
      if (!(error instanceof ClerkRefusal)) throw error;
      // A session that is over is nothing to revoke.
      if (await isOpen(sessionId)) throw new IdentityUnavailable("fault");
    }
  }

  async function openSessionsOf(userId: string): Promise<string[]> {
    const lists = await Promise.all(
      openStatuses.map((status) =>
        unlessNotFound(
          ask(async () =>
            sessions.parse(await clerk.getSessionList({ userId, status, limit: sessionsAtOnce })),
          ),
        ),
      ),
    );
    return lists.flatMap((list) => list?.data.map(({ id }) => id) ?? []);
  }

  return {
    endSession,
    async endSessionsOf(userId) {
      for (let round = 0; round < mostRounds; round += 1) {
        const open = await openSessionsOf(userId);
        if (open.length === 0) return;
        for (const some of inPieces(open, revokedTogether)) await Promise.all(some.map(endSession));
      }
      throw new IdentityUnavailable("fault");
    },
  };
}
