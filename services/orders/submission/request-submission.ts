import { commandIds } from "../command-ids.ts";
import type { Desk } from "../dependencies.ts";
import type { OnBehalf, Told } from "../orders.ts";

/** Asks for a paid order to be submitted. Browser and policy make the same command. @throws Refused `not-paid` */
export function requestSubmission(desk: Desk, orderId: string, by: OnBehalf): Promise<Told> {
  return desk.orders.tell({
    orderId,
    commandId: commandIds.submissionRequested(orderId),
    by,
    command: { type: "RequestSubmission", data: {} },
  });
}
