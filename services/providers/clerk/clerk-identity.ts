import { type ClerkClient, createClerkClient } from "@clerk/backend";
import { isClerkAPIResponseError } from "@clerk/backend/errors";
import {
  BrokenCircuitError,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  retry,
  TaskCancelledError,
  TimeoutStrategy,
  timeout,
  wrap,
} from "cockatiel";
import { z } from "zod";
import { type IdentityProvider, IdentityUnavailable } from "../../identity/identity-provider.ts";
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

type ClerkCallSettings = {
  /** Monotonic clock, in milliseconds. */
  nowMs: () => number;
  /** Time-out of one try. */
  timeoutMs?: number;
  /** How long calls are paused after five errors in a row. */
  pauseMs?: number;
};

type ClerkCalls = <T>(call: () => Promise<T>) => Promise<T>;

/** A call that Clerk refused: not found, or not possible. */
class ClerkRefusal extends Error {
  override name = "ClerkRefusal";
  readonly status: number;
  constructor(status: number) {
    super(`Clerk refused with ${status}.`);
    this.status = status;
  }
}

/** Longer waits are the caller's decision. */
const longestRetryAfterSeconds = 300;
const usualRetryAfterSeconds = 10;

/**
 * Calls to Clerk's backend API, whose client has neither time-outs nor retries. A transient error is retried once;
 * after repeated errors calls pause, so no page waits for them; Clerk's rate limits are respected. Every call must be
 * repeatable.
 * @throws (from the calls) IdentityUnavailable, or ClerkRefusal for any other status from 400 to 499
 */
function createClerkCalls({ nowMs, timeoutMs = 5_000, pauseMs = 10_000 }: ClerkCallSettings): ClerkCalls {
  const passing = handleWhen((error) => error instanceof IdentityUnavailable && passingCodes.has(error.code));
  const policy = wrap(
    retry(passing, { maxAttempts: 1, backoff: new ExponentialBackoff({ initialDelay: 100 }) }),
    circuitBreaker(passing, { halfOpenAfter: pauseMs, breaker: new ConsecutiveBreaker(5) }),
  );
  // Aggressive: the client cannot be aborted, so its promise is abandoned.
  const patience = timeout(timeoutMs, TimeoutStrategy.Aggressive);
  let quietUntilMs = 0;

  async function once<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await patience.execute(call);
    } catch (error) {
      const fault = faultOf(error);
      if (fault.error instanceof IdentityUnavailable && fault.error.code === "rateLimited")
        quietUntilMs = nowMs() + fault.retryAfterSeconds * 1000;
      throw fault.error;
    }
  }

  return async <T>(call: () => Promise<T>): Promise<T> => {
    if (nowMs() < quietUntilMs) throw new IdentityUnavailable("rateLimited");
    try {
      return await policy.execute(() => once(call));
    } catch (error) {
      throw error instanceof BrokenCircuitError ? new IdentityUnavailable("circuitOpen") : error;
    }
  };
}

/** The result of a call, null if not found. @throws IdentityUnavailable */
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

const passingCodes: ReadonlySet<string> = new Set(["timeout", "unreachable", "fault"]);

type Fault = { readonly error: Error; readonly retryAfterSeconds: number };

/** Clerk's error texts repeat the request, so only the status is passed on. */
function faultOf(error: unknown): Fault {
  const plain = (fault: Error): Fault => ({ error: fault, retryAfterSeconds: 0 });
  if (error instanceof TaskCancelledError) return plain(new IdentityUnavailable("timeout"));
  if (!isClerkAPIResponseError(error)) return plain(new IdentityUnavailable("fault"));
  const { status, clerkTraceId, retryAfter } = error;
  // The client wraps network errors in an answer without a status.
  if (!status) return plain(new IdentityUnavailable("unreachable"));
  if (status === 429) {
    const seconds = Math.min(retryAfter ?? usualRetryAfterSeconds, longestRetryAfterSeconds);
    return { error: new IdentityUnavailable("rateLimited", clerkTraceId), retryAfterSeconds: seconds };
  }
  if (status === 401 || status === 403) return plain(new IdentityUnavailable("keyRefused", clerkTraceId));
  if (status >= 400 && status < 500) return plain(new ClerkRefusal(status));
  return plain(new IdentityUnavailable("fault", clerkTraceId));
}
