import * as z from "zod/mini";
import { api } from "../paths.ts";
import { requestJson } from "./request.ts";

/** GET /api/orders/{id}. */
export const ownOrder = z.object({ orderNumber: z.catch(z.string(), "unknown") });

/** The number of an order of this browser's, 'unknown' when the answer lacks it. @throws ApiError */
export const getOrder = (orderId: string) => requestJson(ownOrder, "GET", api.order(orderId));
