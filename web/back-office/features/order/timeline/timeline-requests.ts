import useSWR from "swr";
import { addressOf } from "../../../../../contract/request.ts";
import {
  type OrderState,
  showTimeline,
  type Timeline,
} from "../../../../../contract/staff-orders/timeline.ts";
import { send } from "../../../../api/send.ts";

/** Every event of an order, in the order of the log. */
export async function timelineOf(orderNumber: string): Promise<Timeline> {
  const answer = await send(showTimeline, { params: { orderNumber } });
  if (!("entries" in answer)) throw new Error("The timeline came without its entries");
  return answer;
}

async function stateAfter(orderNumber: string, revision: number): Promise<OrderState> {
  const answer = await send(showTimeline, { params: { orderNumber }, query: `at=${revision}` });
  if ("entries" in answer) throw new Error("The timeline came in place of the order at an event");
  return answer;
}

/** The order as of a revision, none while it is null. What has happened never changes, so each is asked for once. */
export const useOrderState = (orderNumber: string, revision: number | null) =>
  useSWR(
    revision === null ? null : [addressOf(showTimeline, { orderNumber }), revision],
    () => stateAfter(orderNumber, revision ?? 0),
    { keepPreviousData: true },
  );
