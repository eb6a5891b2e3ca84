import { SubmissionRefused, SubmissionUncertain } from "../../providers/gro/automation.ts";
import type { DutyParts, Errand, Outcome } from "../task-dependencies.ts";
import { type Report, recordAcceptance, recordDoubt, recordFailure } from "./submission-outcome.ts";

/** Asks about an attempt whose answer was lost, before anything is sent again. */
export async function askSubmission(parts: DutyParts, errand: Errand<"askSubmission">): Promise<Outcome> {
  const { order, duty, by, commandId } = errand;
  const report = { orderId: order.orderId, attempt: duty.attempt, key: duty.key, by };
  return settleByAsking(parts, report, `${commandId}-doubt`);
}

/** Records the service's answer about an attempt. Its `unknown` is certain, because it closes the key. */
export async function settleByAsking(
  { desk, automation }: DutyParts,
  report: Report,
  doubtId: string,
): Promise<Outcome> {
  try {
    const inquiry = await automation.ask(report.key);
    return inquiry.state === "accepted"
      ? await recordAcceptance(desk, report, inquiry)
      : await recordFailure(desk, report, "unknownToProvider");
  } catch (error) {
    // A refusal to answer (a wrong API key, say) is no answer about the attempt.
    if (error instanceof SubmissionUncertain || error instanceof SubmissionRefused)
      return recordDoubt(desk, report, error.code, doubtId);
    throw error;
  }
}
