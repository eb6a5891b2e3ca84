import * as tracking from "../../../contract/orders/tracking.ts";
import { route } from "../../gateway/routing/route.ts";
import { byNumber } from "./order-reads.ts";

/** GET /api/orders/lookup/{orderNumber}/updates: tells whoever knows the number when to look it up again. */
export const followOrder = route(tracking.followOrder, (parts) => async ({ request, response }) => {
  const { orderId } = await byNumber(parts, String(request.params.orderNumber));
  await parts.live.open(request, response, orderId);
  return undefined;
});
