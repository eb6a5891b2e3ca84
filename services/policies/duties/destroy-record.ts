import type { DutyParts, Errand, Outcome } from "../errand.ts";

/** Destroys a record that another took the place of. No event tells of it: its class is still alive. */
export async function destroyRecord(
  { desk }: DutyParts,
  { duty }: Errand<"destroyRecord">,
): Promise<Outcome> {
  await desk.vault.destroy([duty.ref]);
  return "unrecorded";
}
