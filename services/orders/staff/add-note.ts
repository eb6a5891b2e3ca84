import { unsealed } from "../../../domain/order/personal-data/vault-records.ts";
import type { Desk } from "../dependencies.ts";
import type { Told } from "../orders.ts";
import { typedCommand } from "../personal-data.ts";
import { behalfOfStaff, type StaffAct, staffCommandId } from "./staff-act.ts";

/**
 * Notes something about an order: seals the text, then appends. It is contact data, and is destroyed with it.
 * @throws Refused `contact-purged` once the contact data is destroyed: a note would outlive what it is about
 */
export function addNote(desk: Desk, orderId: string, text: string, act: StaffAct): Promise<Told> {
  const commandOf = (noteRef: string) => ({ type: "AddNote" as const, data: { noteRef } });
  return desk.orders.tell({
    orderId,
    by: behalfOfStaff(act),
    ...typedCommand(desk, {
      subject: orderId,
      commandId: staffCommandId(desk, orderId, "note", act),
      repeatable: act.idempotencyKey !== undefined,
      body: { text },
      draft: commandOf(unsealed),
      command: async (seal) => commandOf(await seal("orderNote", "contact", { text })),
    }),
  });
}
