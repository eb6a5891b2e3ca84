import { SubmissionRefused, SubmissionUncertain } from "../../providers/gro/automation.ts";
import type { Outcome, OwedTask, TaskDependencies } from "../task-dependencies.ts";
import { type Report, recordAcceptance, recordDoubt, recordFailure } from "./submission-outcome.ts";

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
