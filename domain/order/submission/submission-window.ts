import { addDays, addSeconds, before } from "../../instant.ts";
import { mostOfOrder } from "../rules.ts";
import type { Attempts, OpenAttempt, Order } from "../state.ts";

/** When the automation service is tried, how often, and when we stop. */

export const mostAutomaticAttempts = 8;
/** All automatic attempts fall into the day after the first. */
const automaticHours = 24;
/** After the last attempt an order waits this long for staff, then fails with the cause `ours`. */
const daysUntilGivenUp = 7;

/** Seconds to wait after the nth failure; they sum up to 15 hours. */
const retryDelaysSeconds = [60, 300, 900, 3_600, 7_200, 14_400, 28_800] as const;

const askDelaySeconds = 60;
const longestAskDelaySeconds = 3_600;

const isOutOfAttempts = ({ count, automatic }: Attempts): boolean =>
  automatic >= mostAutomaticAttempts || count >= mostOfOrder.SubmissionStarted.most;

/** A day after an attempt began, automatic ones no longer help. */
const dayAfter = (startedAt: string): string => addSeconds(startedAt, automaticHours * 3600);

const windowClosesAt = ({ automatic, firstAt }: Attempts): string | null =>
  automatic > 0 && firstAt !== null ? dayAfter(firstAt) : null;

const hasCome = (at: string | null, now: string): boolean => at !== null && !before(now, at);

/** True when the automation service may not be tried (again) with this application. */
export const isExhausted = (attempts: Attempts, now: string): boolean =>
  isOutOfAttempts(attempts) || hasCome(windowClosesAt(attempts), now);

/**
 * When a submission is stuck: no automatic attempt is left, or one has been open for a day. Null while an automatic
 * attempt may still succeed.
 */
export function submissionStuckAt({ phase, attempts, confirmation }: Order): string | null {
  if (phase === "Confirmed") {
    return isOutOfAttempts(attempts) ? (attempts.lastAt ?? confirmation.at) : windowClosesAt(attempts);
  }
  return phase === "Submitting" && attempts.open ? dayAfter(attempts.open.startedAt) : null;
}

/** True when only staff can get the application to the GRO. */
export const isSubmissionStuck = (order: Order, now: string): boolean =>
  hasCome(submissionStuckAt(order), now);

/** When the next automatic attempt is due; `readyAt` when there was none yet. */
export function nextAttemptAt({ automatic, failedAt }: Attempts, readyAt: string): string {
  if (automatic === 0 || failedAt === null) return failedAt ?? readyAt;
  return addSeconds(failedAt, retryDelaysSeconds[automatic - 1] ?? longestAskDelaySeconds);
}

/**
 * When the provider is to be asked what became of an open attempt: after a minute, then less and less often, at last
 * hourly.
 */
export const askAt = ({ heardAt, uncertain }: OpenAttempt): string =>
  addSeconds(heardAt, Math.min(askDelaySeconds * 2 ** Math.min(uncertain, 10), longestAskDelaySeconds));

/**
 * How long after its start an attempt may be sent. Our clocks and the service's agree within five minutes, so what is
 * sent at once is in time by all of them.
 */
const sendableSeconds = 600;
const clockToleranceSeconds = 300;

/** When the automation service must start refusing an attempt. Derived from the log, so every process agrees. */
export const notAfterOf = ({ startedAt }: OpenAttempt): string => addSeconds(startedAt, sendableSeconds);

/**
 * True while a stalled process of ours could still send an attempt that the service accepts, unless its key was asked
 * about.
 */
export const mayStillArrive = (open: OpenAttempt, now: string): boolean =>
  open.channel === "automation" && before(now, addSeconds(notAfterOf(open), clockToleranceSeconds));

/** When an order without an open attempt fails with the cause `ours`. */
export const givenUpAt = (lastAttemptAt: string): string => addDays(lastAttemptAt, daysUntilGivenUp);
