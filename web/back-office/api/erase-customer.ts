import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import { type Customer, customerSchema } from "./get-customer.ts";

/** POST …/erase: asks for erasure of everything, and answers where each order and ticket stands then. @throws ApiError */
export const eraseCustomer = (id: string, reason: string, idempotencyKey: string): Promise<Customer> =>
  requestJson(customerSchema, "POST", adminApi.customerAction(id, "erase"), { reason }, { idempotencyKey });
