import type { ClerkClient } from "@clerk/backend";
import { z } from "zod";
import { type IdentityProvider, IdentityUnavailable } from "../../identity/identity-provider.ts";
import { type ClerkCalls, ClerkRefusal, inPieces, unlessNotFound } from "./clerk-calls.ts";

/** The API's page size: https://clerk.com/docs/reference/backend-api (sessions). */
const sessionsAtOnce = 100;
const revokedTogether = 5;
/** No one has a thousand sessions; more rounds mean the response never changes. */
const mostRounds = 10;
/** Sessions that issue tokens, or may yet: a session with an open task, such as a new password, is pending. */
const openStatuses = ["active", "pending"] as const;

const session = z.object({ id: z.string(), status: z.string() });
const sessions = z.object({ data: z.array(session) });

/** @throws (from its methods) IdentityUnavailable */
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
      // An ended session cannot be revoked again.
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
