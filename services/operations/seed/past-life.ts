import type { Actor } from "../../../domain/decider.ts";
import { addSeconds, secondsPerDay } from "../../../domain/instant.ts";
import { orderDecider } from "../../../domain/order/decide.ts";
import type { OrderEvent } from "../../../domain/order/events.ts";
import { absent, exists, type Order, type OrderState } from "../../../domain/order/state.ts";
import {
  buying,
  chosen,
  commandMark,
  contact,
  type Ending,
  ending,
  eventMark,
  marks,
  paying,
} from "./life-steps.ts";
import { between } from "./seeded-random.ts";

/** An event as decided, its author and command, and the order after it. */
export type Lived = {
  readonly event: OrderEvent;
  readonly at: string;
  readonly actor: Actor;
  readonly command: number;
  readonly after: Order;
};

/** A Monday at ten; odd milliseconds, so no other text looks like one of its timestamps. */
const lifeStart = "2025-06-02T09:00:00.137Z";

/** A whole life, decided by the domain itself: from opening to the day on which the last personal data was purged. */
export function pastLife(random: () => number, how: Ending, retentionDays: number): Lived[] {
  const choice = chosen(random);
  const steps = [
    ...buying(random, choice),
    ...(how === "expired" ? [] : paying(random, choice.unitPence * choice.copies)),
    ...ending(random, how, choice),
    ...(how === "expired"
      ? []
      : contact(retentionDays * secondsPerDay + between(random, 1, 60), "retention")),
  ];
  const lived: Lived[] = [];
  let state: OrderState = absent;
  let at = lifeStart;
  for (const [n, [secondsLater, kind, command]] of steps.entries()) {
    at = addSeconds(at, secondsLater);
    const actor = { kind, id: kind === "customer" ? marks.orderId : "seed" };
    const decided = orderDecider.decide(state, command(at, state), {
      commandId: commandMark(n),
      at,
      actor,
      correlationId: "seed",
    });
    for (const event of decided) {
      state = orderDecider.evolve(state, event, {
        eventId: eventMark(lived.length),
        at,
        revision: lived.length,
      });
      if (exists(state)) lived.push({ event, at, actor, command: n, after: state });
    }
  }
  return lived;
}
