import { addDays, addSeconds, before } from "../instant.ts";
import type { Attempts, OpenAttempt } from "./state.ts";

/** When the automation service is tried, how often, and when we stop. */

export const mostAutomaticAttempts = 8;
/** All automatic attempts fall into the day after the first. */
export const automaticHours = 24;
/** After the last attempt an order waits this long for staff, then fails by our cause. */
export const daysUntilGivenUp = 7;

/** Seconds to wait after the nth failure; they sum up to 15 hours. */
const retryDelaysSeconds = [60, 300, 900, 3_600, 7_200, 14_400, 28_800] as const;

const askDelaySeconds = 60;
const longestAskDelaySeconds = 3_600;

/** True when the automation service may not be tried (again) with this application. */
export const isExhausted = ({ automatic, firstAt }: Attempts, now: string): boolean =>
  automatic >= mostAutomaticAttempts ||
  (automatic > 0 && firstAt !== null && !before(now, addSeconds(firstAt, automaticHours * 3600)));

/** When the next automatic attempt is due; `readyAt` when there was none yet. */
export function nextAttemptAt({ automatic, failedAt }: Attempts, readyAt: string): string {
  if (automatic === 0 || failedAt === null) return failedAt ?? readyAt;
  return addSeconds(failedAt, retryDelaysSeconds[automatic - 1] ?? longestAskDelaySeconds);
}

/** When the provider is to be asked what became of an open attempt: after a minute, then ever more rarely, hourly at last. */
export const askAt = ({ heardAt, uncertain }: OpenAttempt): string =>
  addSeconds(heardAt, Math.min(askDelaySeconds * 2 ** Math.min(uncertain, 10), longestAskDelaySeconds));

/** When an order without an open attempt fails by our cause. */
export const givenUpAt = (lastAttemptAt: string): string => addDays(lastAttemptAt, daysUntilGivenUp);
