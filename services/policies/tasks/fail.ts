import type { DutyParts, Errand, Outcome } from "../task-dependencies.ts";
import { takeUpForgottenSubmission } from "./forgotten-submission.ts";

/** Ends an order that nobody can bring to a good end. */
export async function fail(parts: DutyParts, errand: Errand<"fail">): Promise<Outcome> {
  const { order, duty, by, commandId } = errand;
  const { cause, reason } = duty;
  if (reason === "submissionFailed" && (await takeUpForgottenSubmission(parts, order, by))) return "told";
  const command = { type: "FailOrder" as const, data: { cause, reason } };
  await parts.desk.orders.tell({ orderId: order.orderId, commandId, by, command });
  return "told";
}
