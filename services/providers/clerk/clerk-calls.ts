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
import { IdentityUnavailable } from "../../identity/identity-provider.ts";

type ClerkCallSettings = {
  /** Monotonic clock, in milliseconds. */
  nowMs: () => number;
  /** Time-out of one try. */
  timeoutMs?: number;
  /** How long calls are paused after five errors in a row. */
  pauseMs?: number;
};

export type ClerkCalls = <T>(call: () => Promise<T>) => Promise<T>;

/** A call that Clerk refused: not found, or not possible. */
export class ClerkRefusal extends Error {
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
export function createClerkCalls({
  nowMs,
  timeoutMs = 5_000,
  pauseMs = 10_000,
}: ClerkCallSettings): ClerkCalls {
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
export async function unlessNotFound<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ClerkRefusal)) throw error;
    if (error.status === 404) return null;
    throw new IdentityUnavailable("fault");
  }
}

export function inPieces<T>(all: readonly T[], size: number): T[][] {
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
