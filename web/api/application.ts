import * as z from "zod/mini";
import { certificateTypes } from "../../domain/forms/options.ts";
import { api } from "../paths.ts";
import { request, requestJson } from "./request.ts";

const answers = z.record(z.string(), z.unknown());

/** An application in the keys of section 3's variant; what is fixed with the order is not part of it. */
export const applicationSchema = z.object({
  certificateType: z.enum(certificateTypes),
  gender: z.string(),
  eventDetails: answers,
  certificateDetails: answers,
  gro: z.string(),
  applyingForOwn: z.boolean(),
  adopted: z.boolean(),
  customerFirstName: z.string(),
  customerLastName: z.string(),
});

export type Application = z.infer<typeof applicationSchema>;

/**
 * GET /api/orders/{id}/application: what its holder entered, while it may still be changed. Kept in memory only.
 * @throws ApiError, 409 when it may not be changed any more
 */
export const getApplication = (orderId: string): Promise<Application> =>
  requestJson(applicationSchema, "GET", api.application(orderId));

/** POST /api/orders/{id}/application: changes it, or answers the GRO's question. @throws ApiError, 409 when it is too late, 422 */
export async function sendApplication(
  orderId: string,
  application: Application,
  idempotencyKey: string,
): Promise<void> {
  await request("POST", api.application(orderId), application, { idempotencyKey });
}
