import { unsealed } from "../../../domain/order/personal-data/vault-records.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OrderResult } from "../orders.ts";
import { typedCommand } from "../personal-data.ts";
import { behalfOfStaff, type StaffAct, staffCommandId } from "./staff-act.ts";

/**
 * Adds a note to an order: seals the text, then appends. Notes count as contact data and are destroyed with it.
 * @throws Refused `contact-purged` once the contact data is destroyed
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
