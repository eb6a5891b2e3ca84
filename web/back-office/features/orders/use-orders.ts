import useSWR from "swr";
import { listOrders } from "../../../../contract/staff-orders/list.ts";
import { answerIn, call } from "../../../api/send.ts";

/** `stale`: the list may be some moments behind what happened. */
async function getOrders(query: string) {
  const response = await call(listOrders, { query });
  const stale = response.headers.get("Stale") === "true";
  return { ...(await answerIn(listOrders, response)), stale, query };
}

/** A page of the list, with what was asked for; the one before stays while the next is on its way. */
export const useOrders = (query: string) =>
  useSWR([listOrders.path, query], () => getOrders(query), {
    revalidateIfStale: true,
    keepPreviousData: true,
  });
