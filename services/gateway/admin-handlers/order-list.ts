import { presentOrderList } from "../admin-presenters/order-list.ts";
import { listRequest } from "../admin-routes/order-list-request.ts";
import { validate } from "../guards/validate.ts";
import type { Parts } from "../parts.ts";
import type { Answer, Call } from "../route.ts";

/** GET /api/admin/orders: filters, order and page stand in the address. */
export const listOrders =
  ({ queries, desk }: Parts) =>
  async ({ request }: Call): Promise<Answer> => {
    const asked = validate(listRequest, request.query);
    const now = desk.now().toISOString();
    return { body: presentOrderList(await queries.listOrders({ ...asked, now }), asked.sort, now) };
  };
