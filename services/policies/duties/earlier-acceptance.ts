import { submissionKeyOf } from "../../../domain/order/provider-keys.ts";
import type { Order } from "../../../domain/order/state.ts";
import { mostAutomaticAttempts } from "../../../domain/order/submission-window.ts";
import type { Accepted, Automation } from "../../submission/automation.ts";

/** An attempt that the log does not know, and the GRO does. */
export type EarlierAcceptance = { attempt: number; key: string; accepted: Accepted };

/** A second attempt starts a minute after the first at the earliest, so an order younger than this had no more than one. */
const firstRetryMs = 60_000;

/**
 * Asks the automation service for attempts that an old database, once restored, has forgotten: the next one, and unless the
 * order is too young for them all that may have followed it. Nothing may be sent before.
 * @throws SubmissionUncertain or SubmissionRefused when the service does not answer
 */
export async function findEarlierAcceptance(
  automation: Automation,
  { orderId, createdAt, attempts }: Order,
  now: Date,
): Promise<EarlierAcceptance | undefined> {
  const isYoung = attempts.count === 0 && now.getTime() - Date.parse(createdAt) < firstRetryMs;
  const most = isYoung ? 1 : Math.max(1, mostAutomaticAttempts - attempts.automatic);
  for (let attempt = attempts.count + 1; attempt <= attempts.count + most; attempt++) {
    const key = submissionKeyOf(orderId, attempt);
    const inquiry = await automation.ask(key);
    if (inquiry.state === "accepted") return { attempt, key, accepted: inquiry };
  }
  return undefined;
}
