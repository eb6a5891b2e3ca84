import { submissionKeyOf } from "../../../domain/order/payment/provider-keys.ts";
import type { Order } from "../../../domain/order/state.ts";
import { mostAutomaticAttempts } from "../../../domain/order/submission/submission-window.ts";
import type { Accepted, Automation } from "../../providers/gro/automation.ts";

/** An attempt that the GRO knows and our log does not. */
export type EarlierAcceptance = { attempt: number; key: string; accepted: Accepted };

/**
 * Asks the automation service for attempts that a restored database has forgotten: the next one, and any that followed.
 * Nothing may be sent before. Reads their status, since an inquiry would close the very key needed next.
 * @throws SubmissionUncertain or SubmissionRefused when the service does not answer
 */
export async function findEarlierAcceptance(
  automation: Automation,
  { orderId, attempts }: Order,
): Promise<EarlierAcceptance | undefined> {
  const most = Math.max(1, mostAutomaticAttempts - attempts.automatic);
  const forgotten = Array.from({ length: most }, (_, n) => {
    const attempt = attempts.count + 1 + n;
    return { attempt, key: submissionKeyOf(orderId, attempt) };
  });
  const statuses = await automation.statuses(forgotten.map(({ key }) => ({ key })));
  const found = forgotten.map((one, n) => ({ ...one, accepted: statuses[n] }));
  for (const { attempt, key, accepted } of found) {
    if (accepted?.state === "accepted") return { attempt, key, accepted };
  }
  return undefined;
}
