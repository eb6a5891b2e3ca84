import * as z from "zod/mini";
import { api } from "../paths.ts";
import { requestJson } from "./request.ts";

/** POST /api/create-payment-intent: what the card form needs. */
export const paymentSecret = z.object({ clientSecret: z.string() });

/** Asks for the order's payment; pounds. A repeat answers the same one. @throws ApiError, 409 with the right amount */
export const createPaymentIntent = (orderId: string, amount: number, idempotencyKey: string) =>
  requestJson(paymentSecret, "POST", api.paymentIntent, { amount, orderId }, { idempotencyKey });
