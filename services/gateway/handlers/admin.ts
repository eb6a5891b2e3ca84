import { validate } from "../guards/validate.ts";
import type { Parts } from "../parts.ts";
import { listRequest, presentOrderList } from "../presenters/order-list.ts";
import type { Answer, Call } from "../route.ts";

/** GET /api/admin/orders?status=&limit=&after= */
export const listOrders =
  ({ queries }: Parts) =>
  async ({ request }: Call): Promise<Answer> => {
    const page = await queries.listOrders(validate(listRequest, request.query));
    return { body: presentOrderList(page) };
  };
