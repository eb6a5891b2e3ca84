import * as z from "zod/mini";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";
import { customerSchema } from "./get-customer.ts";

const foundSchema = z.object({ customers: z.array(customerSchema), more: z.boolean() });
export type FoundCustomers = z.infer<typeof foundSchema>;

/** POST /api/admin/customers/search: what was typed goes in a body, never in an address. @throws ApiError, 422, 429 */
export const searchCustomers = (by: string, typed: string): Promise<FoundCustomers> =>
  requestJson(foundSchema, "POST", adminApi.customerSearch, { by, typed });
