import { enterByLink, lookUpOrder, type TrackedOrder } from "../../../contract/orders/tracking.ts";
import { ApiError } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { toasts } from "../../ui/toasts/toasts.ts";

export { notePosition } from "../../api/request.ts";
export { followOrder } from "./order-updates.ts";

/** @throws as `send` does */
export const lookUp = (orderNumber: string): Promise<TrackedOrder> =>
  send(lookUpOrder, { body: { orderNumber } });

/** A server fault or lost connection is not "not found", and can be retried. */
export const isOurFault = (failure: unknown): boolean =>
  !(failure instanceof ApiError) || failure.status >= 500 || failure.status === 429;

/** Exchanges the key of an emailed link; an expired one still shows the order. */
export async function enter(orderNumber: string, key: string): Promise<void> {
  await send(enterByLink, { body: { orderNumber, key } }).catch((failure: unknown) => {
    const expired = failure instanceof ApiError && failure.status === 410;
    if (!expired) return;
    toasts.show({
      title: "This link has expired",
      description: "You can still see your order’s progress. Write to us if you need to change something.",
    });
  });
}
