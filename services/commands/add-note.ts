import { assertTakes } from "./assert-takes.ts";
import type { Desk } from "./desk.ts";
import type { Told } from "./orders.ts";
import { beginSealing } from "./personal-data.ts";
import { behalfOfStaff, type StaffAct, staffCommandId } from "./staff-act.ts";

/**
 * Notes something about an order: seals the text, then appends. It is contact data, and is destroyed with it.
 * @throws Refused `contact-purged` once the contact data is destroyed: a note would outlive what it is about
 */
export async function addNote(desk: Desk, orderId: string, text: string, act: StaffAct): Promise<Told> {
  const by = behalfOfStaff(act);
  const commandId = staffCommandId(desk, orderId, "note", act);
  const isKnown = () => desk.orders.knows(orderId, commandId);
  const { order } = await desk.orders.load(orderId);
  if (!(await isKnown())) {
    assertTakes(desk, order, { type: "AddNote", data: { noteRef: orderId } }, by);
  }
  const repeatable = act.idempotencyKey !== undefined;
  const sealing = await beginSealing(desk, {
    subject: orderId,
    commandId,
    repeatable,
    body: { text },
    isKnown,
  });
  const noteRef = await sealing.seal("orderNote", "contact", { text });
  return desk.orders.tell({
    orderId,
    commandId,
    by,
    fingerprint: async () => sealing.fingerprint,
    command: { type: "AddNote", data: { noteRef } },
  });
}
