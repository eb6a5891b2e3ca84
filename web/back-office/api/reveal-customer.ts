import * as z from "zod/mini";
import { requestJson } from "../../api/request.ts";
import { adminApi } from "../paths.ts";

const revealedSchema = z.object({
  from: z.object({ kind: z.enum(["order", "ticket"]), number: z.string() }),
  name: z.string(),
  email: z.string(),
  company: z.nullable(z.string()),
  address: z.nullable(
    z.object({
      line1: z.string(),
      line2: z.string(),
      town: z.string(),
      county: z.string(),
      postcode: z.string(),
      country: z.string(),
    }),
  ),
  phone: z.nullable(z.object({ daytime: z.string(), evening: z.string() })),
});
export type RevealedCustomer = z.infer<typeof revealedSchema>;

/** POST …/reveal: who it is. The look is in the log before. Kept in memory only. @throws ApiError, 410 once destroyed */
export const revealCustomer = (id: string, reason: string): Promise<RevealedCustomer> =>
  requestJson(revealedSchema, "POST", adminApi.customerAction(id, "reveal"), { reason });
