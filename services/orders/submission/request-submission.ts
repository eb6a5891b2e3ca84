import { commandIds } from "../command-ids.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OnBehalf, OrderResult } from "../orders.ts";

/** Asks for a paid order to be submitted. Browser and policy make the same command. @throws Refused `not-paid` */
export function requestSubmission(
  deps: OrderDependencies,
  orderId: string,
  by: OnBehalf,
): Promise<OrderResult> {
  return deps.orders.execute({
    orderId,
    commandId: commandIds.submissionRequested(orderId),
    by,
    command: { type: "RequestSubmission", data: {} },
  });
}
