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

export type ClerkCallSettings = {
  /** Milliseconds of a clock that only ever runs on. */
  nowMs: () => number;
  /** Of one try. */
  timeoutMs?: number;
  /** How long nothing is asked after five faults in a row. */
  pauseMs?: number;
};

/** Makes a call, and answers what it does. */
export type ClerkCalls = <T>(call: () => Promise<T>) => Promise<T>;

/** A call that Clerk answered with a refusal of this one thing: not found, or not possible. */
export class ClerkRefusal extends Error {
  override name = "ClerkRefusal";
  readonly status: number;
  constructor(status: number) {
    super(`Clerk refused with ${status}.`);
    this.status = status;
  }
}

/** Waiting for longer than this is for the caller to decide. */
const longestRetryAfterSeconds = 300;
const usualRetryAfterSeconds = 10;

/**
 * Makes calls to Clerk's backend API, whose client has neither time-outs nor retries. A fault that may pass is tried once more; what
 * keeps failing is left alone for a while, so that no page waits for it; a limit that Clerk names is kept. Every call has to be
 * repeatable.
 * @throws (from the calls) IdentityUnavailable, or ClerkRefusal for any other answer from 400 to 499
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
  // Aggressive: the client cannot be told to give up, so its promise is left behind.
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

/** What a call answered, null where there is no such thing. @throws IdentityUnavailable */
export async function unlessNotFound<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ClerkRefusal)) throw error;
    if (error.status === 404) return null;
    throw new IdentityUnavailable("fault");
  }
}

/** A long list as several that one call each can take. */
export function inPieces<T>(all: readonly T[], size: number): T[][] {
  const count = Math.ceil(all.length / size);
  return Array.from({ length: count }, (_, at) => all.slice(at * size, (at + 1) * size));
}

const passingCodes: ReadonlySet<string> = new Set(["timeout", "unreachable", "fault"]);

type Fault = { readonly error: Error; readonly retryAfterSeconds: number };

/** What Clerk says of an error repeats what was asked, so only its status goes on. */
function faultOf(error: unknown): Fault {
  const plain = (fault: Error): Fault => ({ error: fault, retryAfterSeconds: 0 });
  if (error instanceof TaskCancelledError) return plain(new IdentityUnavailable("timeout"));
  if (!isClerkAPIResponseError(error)) return plain(new IdentityUnavailable("fault"));
  const { status, clerkTraceId, retryAfter } = error;
  // The client makes an answer without a status of whatever the network threw.
  if (!status) return plain(new IdentityUnavailable("unreachable"));
  if (status === 429) {
    const seconds = Math.min(retryAfter ?? usualRetryAfterSeconds, longestRetryAfterSeconds);
    return { error: new IdentityUnavailable("rateLimited", clerkTraceId), retryAfterSeconds: seconds };
  }
  if (status === 401 || status === 403) return plain(new IdentityUnavailable("keyRefused", clerkTraceId));
  if (status >= 400 && status < 500) return plain(new ClerkRefusal(status));
  return plain(new IdentityUnavailable("fault", clerkTraceId));
}
