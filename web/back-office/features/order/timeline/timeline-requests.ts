import useSWR from "swr";
import { addressOf } from "../../../../../contract/request.ts";
import {
  type OrderState,
  showTimeline,
  type Timeline,
} from "../../../../../contract/staff-orders/timeline.ts";
import { send } from "../../../../api/send.ts";

/** The events of an order, oldest first. */
export async function timelineOf(orderNumber: string): Promise<Timeline> {
  const answer = await send(showTimeline, { params: { orderNumber } });
  if (!("entries" in answer)) throw new Error("The response has no timeline entries");
  return answer;
}

async function stateAfter(orderNumber: string, revision: number): Promise<OrderState> {
  const answer = await send(showTimeline, { params: { orderNumber }, query: `at=${revision}` });
  if ("entries" in answer) throw new Error("Expected an order state, got a timeline");
  return answer;
}

/** The order as of a revision, cached because the past never changes. Null requests nothing. */
export const useOrderState = (orderNumber: string, revision: number | null) =>
  useSWR(
    revision === null ? null : [addressOf(showTimeline, { orderNumber }), revision],
    () => stateAfter(orderNumber, revision ?? 0),
    { keepPreviousData: true },
  );
