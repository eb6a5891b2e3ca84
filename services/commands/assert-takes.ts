import type { OrderCommand } from "../../domain/order/commands.ts";
import { decide } from "../../domain/order/decide.ts";
import type { Order } from "../../domain/order/state.ts";
import type { Desk } from "./desk.ts";
import type { OnBehalf } from "./orders.ts";

/**
 * Asks the decider before anything is done for a command: what it would refuse need not be opened or sealed.
 * @throws Refused when the order, as it stands, would refuse the command
 */
export function assertTakes(
  { now }: Pick<Desk, "now">,
  order: Order,
  command: OrderCommand,
  { actor, correlationId }: OnBehalf,
): void {
  decide(order, command, { commandId: "", at: now().toISOString(), actor, correlationId });
}
