import type { DutyParts, Errand, Outcome } from "../task-dependencies.ts";

/** Destroys a record that another took the place of, and records the proof. One that resists is tried again. */
export async function destroyRecord(
  { desk }: DutyParts,
  { order: { orderId }, duty: { ref: recordRef }, by, commandId }: Errand<"destroyRecord">,
): Promise<Outcome> {
  const { keyFingerprint, probe } = await desk.vault.destroy([recordRef]);
  const data = { recordRef, keyFingerprint, probe };
  await desk.orders.tell({ orderId, commandId, by, command: { type: "PurgeReplacedRecord", data } });
  return "told";
}
