import useSWR from "swr";
import * as z from "zod/mini";
import { workQueues } from "../../../domain/order/staff/work-queues.ts";
import { request } from "../../api/request.ts";
import { adminApi } from "../paths.ts";

const nullableText = z.nullable(z.string());

export const orderLineSchema = z.object({
  id: z.string(),
  orderNumber: z.string(),
  status: z.string(),
  phase: z.string(),
  certificateType: nullableText,
  serviceLevel: nullableText,
  copies: z.nullable(z.number()),
  totalPence: z.number(),
  createdAt: z.string(),
  paidAt: nullableText,
  updatedAt: z.string(),
  despatchBy: nullableText,
  queues: z.array(z.enum(workQueues)),
});
/** A line of the list; nobody's name or address is in it. */
export type OrderLine = z.infer<typeof orderLineSchema>;

const pageSchema = z.object({
  orders: z.array(orderLineSchema),
  /** Where the next page begins and the one before ends; null where there is none. */
  next: nullableText,
  previous: nullableText,
});
/** `stale`: the list may be some moments behind what happened. */
export type OrderPage = z.infer<typeof pageSchema> & { readonly stale: boolean };

async function getOrders(query: string): Promise<OrderPage> {
  const answer = await request("GET", `${adminApi.orders}?${query}`);
  return { ...pageSchema.parse(await answer.json()), stale: answer.headers.get("Stale") === "true" };
}

/** A page of the list, with what was asked for; the one before stays while the next is on its way. */
export const useOrders = (query: string) =>
  useSWR([adminApi.orders, query], async () => ({ ...(await getOrders(query)), query }), {
    revalidateIfStale: true,
    keepPreviousData: true,
  });
