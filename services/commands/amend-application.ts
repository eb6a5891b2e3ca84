import type { OrderCommand } from "../../domain/order/commands.ts";
import type { Order } from "../../domain/order/state.ts";
import type { JsonObject } from "../../infra/json.ts";
import { assertTakes } from "./assert-takes.ts";
import { type ClientKey, clientCommandId } from "./command-ids.ts";
import type { Desk } from "./desk.ts";
import type { OnBehalf, Told } from "./orders.ts";
import { beginSealing } from "./personal-data.ts";

/**
 * Takes an application that was entered again. Before anything was sent it takes the old one's place; after a question of the GRO it
 * is the answer, and goes out once more. Seals first, then appends; a policy destroys what it replaced.
 * @throws Refused while an attempt is open, once the GRO has it without a question, and while the old one is still to be destroyed
 */
export async function amendApplication(
  desk: Desk,
  orderId: string,
  application: JsonObject,
  key: ClientKey | undefined,
  by: OnBehalf,
): Promise<Told> {
  const commandId = clientCommandId(desk.deriveId, desk.newId, key);
  const isKnown = () => desk.orders.knows(orderId, commandId);
  const { order } = await desk.orders.load(orderId);
  // A repeat gets its first result, however far the order has moved on since.
  if (key === undefined || !(await isKnown())) assertAmendable(desk, order, by);
  const sealing = await beginSealing(desk, {
    subject: orderId,
    commandId,
    repeatable: key !== undefined,
    body: application,
    isKnown,
  });
  const applicationRef = await sealing.seal("application", "application", application);
  return desk.orders.tell({
    orderId,
    commandId,
    by,
    fingerprint: async () => sealing.fingerprint,
    command: amending(order, applicationRef),
  });
}

/** @throws Refused when the order takes no other application as it stands */
export function assertAmendable(desk: Pick<Desk, "now">, order: Order, by: OnBehalf): void {
  assertTakes(desk, order, amending(order, "another"), by);
}

/** The command that an application entered again is, after a question of the GRO or without one. */
function amending({ outcome }: Order, applicationRef: string): OrderCommand {
  const type = outcome?.outcome === "queried" ? "ReplaceApplication" : "AmendApplication";
  return { type, data: { applicationRef } };
}
