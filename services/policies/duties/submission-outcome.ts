import { groReferenceRecord } from "../../../domain/forms/sealed-records.ts";
import { addDays } from "../../../domain/instant.ts";
import type { SubmissionFailureCode } from "../../../domain/order/vocabulary.ts";
import type { Desk } from "../../commands/desk.ts";
import type { OnBehalf } from "../../commands/orders.ts";
import type { Accepted } from "../../submission/automation.ts";
import { RecordGone } from "../../vault/vault.ts";
import type { Outcome } from "../errand.ts";

/** Which attempt is reported on, and on whose behalf. */
export type Report = { orderId: string; attempt: number; key: string; by: OnBehalf };

/** The GRO has it. Its order reference is personal data, so it is sealed and the event names the record. */
export async function recordAcceptance(desk: Desk, report: Report, accepted: Accepted): Promise<Outcome> {
  const { orderId, attempt, key, by } = report;
  const groReferenceRef = await sealReference(desk, report, accepted);
  const data = { attempt, groReferenceRef, submittedAt: accepted.acceptedAt };
  const commandId = `submission-${key}-accepted`;
  await desk.orders.tell({ orderId, commandId, by, command: { type: "RecordSubmission", data } });
  return "told";
}

/** Sealed by a try that then told nobody, the record may have fallen due and be destroyed: then it is sealed anew. */
async function sealReference(
  desk: Desk,
  { orderId, key }: Report,
  { groOrderReference }: Accepted,
): Promise<string> {
  const sealAs = async (recordId: string) => {
    const outcome = await desk.vault.seal({
      recordId,
      subject: orderId,
      dataClass: "contact",
      kind: "groOrderReference",
      schemaVersion: 1,
      body: { groOrderReference },
      dueAt: addDays(desk.now().toISOString(), 1),
    });
    return { recordId, isReadable: outcome === "sealed" || (await isReadable(desk, recordId)) };
  };
  const derived = await sealAs(desk.deriveId("gro-order-reference", key));
  return derived.isReadable ? derived.recordId : (await sealAs(desk.newId())).recordId;
}

async function isReadable({ vault }: Desk, recordId: string): Promise<boolean> {
  try {
    await vault.open(recordId, groReferenceRecord);
    return true;
  } catch (error) {
    if (error instanceof RecordGone) return false;
    throw error;
  }
}

/** The GRO certainly does not have it. */
export async function recordFailure(
  desk: Desk,
  report: Report,
  code: SubmissionFailureCode,
): Promise<Outcome> {
  const { orderId, attempt, key, by } = report;
  const data = { attempt, code, certain: true };
  const commandId = `submission-${key}-failed`;
  await desk.orders.tell({ orderId, commandId, by, command: { type: "RecordSubmissionFailure", data } });
  return "told";
}

/** Nobody knows: the attempt stays open, and the service is asked again later. */
export async function recordDoubt(
  desk: Desk,
  report: Report,
  code: SubmissionFailureCode,
  commandId: string,
): Promise<Outcome> {
  const { orderId, attempt, by } = report;
  const data = { attempt, code, certain: false };
  await desk.orders.tell({ orderId, commandId, by, command: { type: "RecordSubmissionFailure", data } });
  return "told";
}
