import type { Recorded } from "../decider.ts";
import type { OrderEvent, OrderEventType } from "./events.ts";
import type { EventOf, Folds } from "./fold.ts";
import { created, lifeFolds } from "./fold-life.ts";
import { orderLimits } from "./limits.ts";
import { moneyFolds } from "./payment/fold-money.ts";
import { privacyFolds } from "./personal-data/fold-privacy.ts";
import { exists, type Order, type OrderState } from "./state.ts";
import { submissionFolds } from "./submission/fold-submission.ts";

type Later = Exclude<OrderEventType, "OrderCreated">;

const folds: Folds<Later> = { ...lifeFolds, ...moneyFolds, ...submissionFolds, ...privacyFolds };

/** The log says what cannot be: an unknown event, or one before the order was created. */
export class ImpossibleHistory extends Error {
  override readonly name = "ImpossibleHistory";
}

function fold<Type extends Later>(order: Order, event: EventOf<Type>, recorded: Recorded): Order {
  const change: Folds<Later>[Type] | undefined = folds[event.type];
  if (!change) throw new ImpossibleHistory(`No fold for the event ${event.type}.`);
  const changed = change(order, event.data, recorded);
  return { ...changed, counts: orderLimits.counted(changed.counts, event.type) };
}

/**
 * The order after one more event.
 * @throws ImpossibleHistory for an unknown event, one before OrderCreated, or a second OrderCreated
 */
export function evolve(state: OrderState, event: OrderEvent, recorded: Recorded): OrderState {
  if (event.type === "OrderCreated") {
    if (exists(state)) throw new ImpossibleHistory("The order was created twice.");
    return created(event.data, recorded);
  }
  if (!exists(state)) throw new ImpossibleHistory(`${event.type} came before OrderCreated.`);
  return fold(state, event, recorded);
}
