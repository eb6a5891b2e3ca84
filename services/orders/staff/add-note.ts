import { unsealed } from "../../../domain/order/personal-data/vault-records.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OrderResult } from "../orders.ts";
import { typedCommand } from "../personal-data.ts";
import { behalfOfStaff, type StaffAct, staffCommandId } from "./staff-act.ts";

/**
 * Notes something about an order: seals the text, then appends. It is contact data, and is destroyed with it.
 * @throws Refused `contact-purged` once the contact data is destroyed: a note would outlive what it is about
 */
export function addNote(
  deps: OrderDependencies,
  orderId: string,
  text: string,
  act: StaffAct,
): Promise<OrderResult> {
  const commandOf = (noteRef: string) => ({ type: "AddNote" as const, data: { noteRef } });
  return deps.orders.execute({
    orderId,
    by: behalfOfStaff(act),
    ...typedCommand(deps, {
      subject: orderId,
      commandId: staffCommandId(deps, orderId, "note", act),
      repeatable: act.idempotencyKey !== undefined,
      body: { text },
      draft: commandOf(unsealed),
      command: async (seal) => commandOf(await seal("orderNote", "contact", { text })),
    }),
  });
}
