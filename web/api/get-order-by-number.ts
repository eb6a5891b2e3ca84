import useSWR from "swr";
import * as z from "zod/mini";
import { api } from "../paths.ts";
import { requestJson } from "./request.ts";

/** GET /api/orders/lookup/{orderNumber}. Name and email are masked but for the holder, and null once they are deleted. */
export const confirmedOrder = z.object({
  orderNumber: z.string(),
  status: z.string(),
  createdAt: z.string(),
  totalAmount: z.number(),
  /** Days; null before the submission was asked for. */
  promise: z.nullable(z.object({ receivedOn: z.string(), despatchBy: z.string() })),
  contactFullName: z.nullable(z.string()),
  email: z.nullable(z.string()),
});

export type ConfirmedOrder = z.infer<typeof confirmedOrder>;

/** @throws ApiError, 404 when there is no such order */
export const getOrderByNumber = (orderNumber: string): Promise<ConfirmedOrder> =>
  requestJson(confirmedOrder, "GET", api.orderByNumber(orderNumber));

/** Asks once for the number; not at all while it is null. */
export const useOrderByNumber = (orderNumber: string | null) =>
  useSWR(orderNumber === null ? null : ["order", orderNumber], ([, number]) => getOrderByNumber(number), {
    revalidateOnMount: true,
  });
