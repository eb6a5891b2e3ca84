import { applicationRecord, contactRecord } from "../../../domain/forms/sealed-records.ts";
import { submissionKeyOf } from "../../../domain/order/provider-keys.ts";
import type { Order } from "../../../domain/order/state.ts";
import { type Application, SubmissionRefused, SubmissionUncertain } from "../../submission/automation.ts";
import { RecordGone, RecordUnreadable, type Vault } from "../../vault/vault.ts";
import type { DutyParts, Errand, Outcome } from "../errand.ts";
import { recordAcceptance, recordDoubt, recordFailure } from "./submission-outcome.ts";

/**
 * Sends an application to the GRO. The service is asked by the attempt's key before anything is sent: after a crash, or a
 * restore that made us forget, it may have it already. The attempt is on record before anything leaves the house.
 * @throws SubmissionUncertain when the service cannot even be asked: nothing was sent
 */
export async function submit(parts: DutyParts, errand: Errand<"submit">): Promise<Outcome> {
  const { desk, automation } = parts;
  const { order, duty, by, commandId } = errand;
  const { attempt } = duty;
  const key = submissionKeyOf(order.orderId, attempt);
  const earlier = await automation.ask(key);
  const application =
    earlier.state === "accepted" ? undefined : await openApplication(desk.vault, order, key);
  await desk.orders.tell({
    orderId: order.orderId,
    commandId: `${commandId}-started`,
    by,
    command: { type: "StartSubmission", data: { attempt, channel: "automation" } },
  });
  const report = { orderId: order.orderId, attempt, key, by };
  if (earlier.state === "accepted") return recordAcceptance(desk, report, earlier);
  if (application === undefined) return recordFailure(desk, report, "invalid");
  try {
    return await recordAcceptance(desk, report, await automation.submit(application));
  } catch (error) {
    if (error instanceof SubmissionRefused) return recordFailure(desk, report, error.code);
    if (error instanceof SubmissionUncertain)
      return recordDoubt(desk, report, error.code, `${commandId}-doubt`);
    throw error;
  }
}

/** Undefined when it cannot be read: then there is nothing to send, and staff must know. */
async function openApplication(vault: Vault, order: Order, key: string): Promise<Application | undefined> {
  const { variant, orderNumber } = order;
  const { application: applicationRef, contact: contactRef } = order.vault;
  if (!variant || !applicationRef || !contactRef) return undefined;
  try {
    return {
      key,
      orderNumber,
      certificateType: variant.certificateType,
      serviceLevel: variant.serviceLevel,
      copies: variant.copies,
      application: await vault.open(applicationRef, applicationRecord),
      contact: await vault.open(contactRef, contactRecord),
    };
  } catch (error) {
    if (error instanceof RecordGone || error instanceof RecordUnreadable) return undefined;
    throw error;
  }
}
