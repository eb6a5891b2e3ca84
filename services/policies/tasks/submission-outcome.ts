import { submissionKeyOf } from "../../../domain/order/payment/provider-keys.ts";
import type { Order } from "../../../domain/order/state.ts";
import { mostAutomaticAttempts } from "../../../domain/order/submission/submission-window.ts";
import type { SubmissionFailureCode } from "../../../domain/order/vocabulary.ts";
import type { OrderDependencies } from "../../orders/dependencies.ts";
import type { OnBehalf } from "../../orders/orders.ts";
import { submissionCommand } from "../../orders/submission/submit-order.ts";
import {
  type Accepted,
  type Automation,
  SubmissionRefused,
  SubmissionUncertain,
} from "../../providers/gro/automation.ts";
import type { Outcome, OwedTask, TaskDependencies } from "../task-dependencies.ts";

export type Report = { orderId: string; attempt: number; key: string; by: OnBehalf };

/** Records acceptance. The GRO order reference is personal data: it is sealed and the event names the record. */
export async function recordAcceptance(
  deps: OrderDependencies,
  report: Report,
  accepted: Accepted,
): Promise<Outcome> {
  const { orderId, attempt, key, by } = report;
  const { groOrderReference, acceptedAt: submittedAt } = accepted;
  const submitted = { attempt, groOrderReference, submittedAt };
  const named = { orderId, commandId: `submission-${key}-accepted`, repeatable: false };
  await deps.orders.execute({ orderId, by, ...submissionCommand(deps, named, submitted) });
  return "done";
}

/** Records that the GRO certainly does not have it. */
export async function recordFailure(
  deps: OrderDependencies,
  report: Report,
  code: SubmissionFailureCode,
): Promise<Outcome> {
  const { orderId, attempt, key, by } = report;
  const data = { attempt, code, certain: true };
  const commandId = `submission-${key}-failed`;
  await deps.orders.execute({ orderId, commandId, by, command: { type: "RecordSubmissionFailure", data } });
  return "done";
}

/** Records an unknown outcome: the attempt stays open, and the service is asked again later. */
export async function recordDoubt(
  deps: OrderDependencies,
  report: Report,
  code: SubmissionFailureCode,
  commandId: string,
): Promise<Outcome> {
  const { orderId, attempt, by } = report;
  const data = { attempt, code, certain: false };
  await deps.orders.execute({ orderId, commandId, by, command: { type: "RecordSubmissionFailure", data } });
  return "done";
}

/** Asks about an attempt whose answer was lost, before anything is sent again. */
export async function askSubmission(
  parts: TaskDependencies,
  owed: OwedTask<"askSubmission">,
): Promise<Outcome> {
  const { order, task, by, commandId } = owed;
  const report = { orderId: order.orderId, attempt: task.attempt, key: task.key, by };
  return settleByAsking(parts, report, `${commandId}-doubt`);
}

/** Records the service's answer about an attempt. Its `unknown` is certain, because it closes the key. */
export async function settleByAsking(
  { deps, automation }: TaskDependencies,
  report: Report,
  doubtId: string,
): Promise<Outcome> {
  try {
    const inquiry = await automation.ask(report.key);
    return inquiry.state === "accepted"
      ? await recordAcceptance(deps, report, inquiry)
      : await recordFailure(deps, report, "unknownToProvider");
  } catch (error) {
    // A refusal to answer (a wrong API key, say) is no answer about the attempt.
    if (error instanceof SubmissionUncertain || error instanceof SubmissionRefused)
      return recordDoubt(deps, report, error.code, doubtId);
    throw error;
  }
}

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

/**
 * Checks, before a paid order is failed and refunded, whether the GRO has it although a restored log does not know. A
 * service that does not answer does not delay the refund: the order has waited for days already.
 * @returns true when the GRO has it and the order now records it
 */
export async function takeUpForgottenSubmission(
  { deps, automation, settings, log }: TaskDependencies,
  order: Order,
  by: OnBehalf,
): Promise<boolean> {
  // No service to ask: staff have recorded what they submitted.
  if (settings.submissionByHand) return false;
  const { orderId } = order;
  try {
    const earlier = await findEarlierAcceptance(automation, order);
    if (!earlier) return false;
    const { attempt, key, accepted } = earlier;
    await recordAcceptance(deps, { orderId, attempt, key, by }, accepted);
    return true;
  } catch (error) {
    if (!(error instanceof SubmissionUncertain || error instanceof SubmissionRefused)) throw error;
    log.error({ orderId, code: error.code }, "an order is given up without asking whether the GRO has it");
    return false;
  }
}
