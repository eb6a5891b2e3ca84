import useSWR from "swr";
import { lookUpContact } from "../../../contract/orders/tracking.ts";
import { send } from "../../api/send.ts";

/** Asks once for the number; not at all while it is null. Name and email are masked for all but the order's holder. */
export const useOrderByNumber = (orderNumber: string | null) =>
  useSWR(
    orderNumber === null ? null : ["order", orderNumber],
    ([, orderNumber]) => send(lookUpContact, { params: { orderNumber } }),
    { revalidateOnMount: true },
  );
