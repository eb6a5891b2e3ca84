import type { SubmissionFailureCode } from "../../../domain/order/vocabulary.ts";
import type { OrderDependencies } from "../../orders/dependencies.ts";
import type { OnBehalf } from "../../orders/orders.ts";
import { submissionCommand } from "../../orders/submission/record-submission.ts";
import type { Accepted } from "../../providers/gro/automation.ts";
import type { Outcome } from "../task-dependencies.ts";

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
  const command = submissionCommand(deps, orderId, `submission-${key}-accepted`, submitted);
  await deps.orders.execute({ orderId, by, ...command });
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
