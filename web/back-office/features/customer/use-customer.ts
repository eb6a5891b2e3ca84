import useSWR from "swr";
import { showCustomer } from "../../../../contract/customers/customers.ts";
import { addressOf } from "../../../../contract/request.ts";
import { send } from "../../../api/send.ts";

/** 404 also once everything of them was destroyed. */
export const useCustomer = (id: string) =>
  useSWR(addressOf(showCustomer, { id }), () => send(showCustomer, { params: { id } }));
