import { createClerkClient } from "@clerk/backend";
import { z } from "zod";
import { ClerkRefusal, createClerkCalls } from "./clerk-calls.ts";
import { createKnownNames } from "./clerk-names.ts";
import { type IdentityProvider, IdentityUnavailable } from "./identity-provider.ts";

export type ClerkSettings = {
  /** `sk_live_…` or `sk_test_…`. */
  secretKey: string;
  /** Clerk's backend API, where it is not the usual one. */
  apiUrl?: string;
  /** Milliseconds of a clock that only ever runs on. */
  nowMs?: () => number;
  /** Of one try. */
  timeoutMs?: number;
  /** How long nothing is asked after five faults in a row. */
  pauseMs?: number;
};

/** What the API takes and gives at once at most: https://clerk.com/docs/reference/backend-api (users, sessions). */
const idsAtOnce = 100;
const sessionsAtOnce = 100;
const revokedTogether = 5;
/** Nobody has a thousand sessions at once; whoever seems to is an answer that never changes. */
const mostRounds = 10;
/** Sessions that give tokens, or may yet: who has a task left to do, such as a new password, is pending. */
const openStatuses = ["active", "pending"] as const;

const users = z.object({
  data: z.array(
    z.object({ id: z.string(), fullName: z.string().nullable(), username: z.string().nullable() }),
  ),
});
const session = z.object({ id: z.string(), status: z.string() });
const sessions = z.object({ data: z.array(session) });

/**
 * Clerk's side of identity that the browser cannot do: names of people, and ending sessions. Tokens are verified without it.
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

  async function isOpen(sessionId: string): Promise<boolean> {
    const found = await unlessNotFound(
      ask(async () => session.parse(await clerk.sessions.getSession(sessionId))),
    );
    return openStatuses.some((status) => status === found?.status);
  }

  async function endSession(sessionId: string): Promise<void> {
    try {
      await ask(() => clerk.sessions.revokeSession(sessionId));
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
            sessions.parse(await clerk.sessions.getSessionList({ userId, status, limit: sessionsAtOnce })),
          ),
        ),
      ),
    );
    return lists.flatMap((list) => list?.data.map(({ id }) => id) ?? []);
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

/** Null where there is no such thing. @throws IdentityUnavailable */
async function unlessNotFound<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ClerkRefusal)) throw error;
    if (error.status === 404) return null;
    throw new IdentityUnavailable("fault");
  }
}

function inPieces<T>(all: readonly T[], size: number): T[][] {
  const count = Math.ceil(all.length / size);
  return Array.from({ length: count }, (_, at) => all.slice(at * size, (at + 1) * size));
}

const named = (names: ReadonlyMap<string, string | null>): ReadonlyMap<string, string> =>
  new Map([...names].flatMap(([userId, name]) => (name ? [[userId, name] as const] : [])));
