import { type ClerkClient, createClerkClient } from "@clerk/backend";
import { z } from "zod";
import { type IdentityProvider, IdentityUnavailable } from "../../identity/identity-provider.ts";
import { type ClerkCalls, ClerkRefusal, createClerkCalls, inPieces, unlessNotFound } from "./clerk-calls.ts";
import { createKnownNames } from "./known-names.ts";

type ClerkSettings = {
  /** `sk_live_…` or `sk_test_…` */
  secretKey: string;
  apiUrl?: string;
  /** Monotonic clock, in milliseconds. */
  nowMs?: () => number;
  /** Time-out of one try. */
  timeoutMs?: number;
  /** How long calls are paused after five errors in a row. */
  pauseMs?: number;
};

/** The API's limit per request: https://clerk.com/docs/reference/backend-api (users). */
const idsAtOnce = 100;

const users = z.object({
  data: z.array(
    z.object({ id: z.string(), fullName: z.string().nullable(), username: z.string().nullable() }),
  ),
});

/**
 * Server-side identity through Clerk: names of people, and ending sessions. Token verification does not need it.
 * @throws (from its methods) IdentityUnavailable
 */
export function createClerkIdentity(settings: ClerkSettings): IdentityProvider {
  const { secretKey, apiUrl, nowMs = () => performance.now(), timeoutMs, pauseMs } = settings;
  const clerk = createClerkClient({
    secretKey,
    ...(apiUrl !== undefined && { apiUrl }),
    telemetry: { disabled: true },
  });
  const ask = createClerkCalls({
    nowMs,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(pauseMs !== undefined && { pauseMs }),
  });
  const known = createKnownNames({ nowMs });

  async function learnNames(userIds: readonly string[]): Promise<void> {
    for (const some of inPieces(userIds, idsAtOnce)) {
      const found = await unlessNotFound(
        ask(async () => users.parse(await clerk.users.getUserList({ userId: some, limit: idsAtOnce }))),
      );
      const names = new Map(found?.data.map((user) => [user.id, user.fullName || user.username]));
      for (const userId of some) known.note(userId, names.get(userId) || null);
    }
  }

  return {
    async namesOf(userIds) {
      const fresh = known.fresh(userIds);
      try {
        await learnNames(userIds.filter((userId) => !fresh.has(userId)));
      } catch (error) {
        const remembered = named(known.remembered(userIds));
        if (remembered.size === 0) throw error;
        return remembered;
      }
      return named(known.fresh(userIds));
    },
    ...sessionEnds(clerk.sessions, ask),
  };
}

const named = (names: ReadonlyMap<string, string | null>): ReadonlyMap<string, string> =>
  new Map([...names].flatMap(([userId, name]) => (name ? [[userId, name] as const] : [])));

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
function sessionEnds(
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
