import type { Parts } from "../parts.ts";
import type { Call } from "../route.ts";
import { byNumber } from "./order-reads.ts";

/** GET /api/orders/lookup/{orderNumber}/updates: tells whoever knows the number when to look it up again. */
export const followOrder =
  (parts: Parts) =>
  async ({ request, response }: Call): Promise<void> => {
    const { orderId } = await byNumber(parts, String(request.params.orderNumber));
    await parts.live.open(request, response, orderId);
  };
