import { parseOrderNumber } from "../../../domain/order-number.ts";
import type { OrderLookup } from "../../../projections/order-lookup.ts";
import { isStaff } from "../guards/identify.ts";
import type { AccessRequest } from "../order-bodies.ts";
import type { Parts } from "../parts.ts";
import { presentLookup } from "../presenters/lookup.ts";
import { presentContactLookup, presentOrder } from "../presenters/orders.ts";
import { notFound, Problem } from "../problem.ts";
import type { Answer, Call, OrderCall } from "../route.ts";
import { openContact } from "./open-contact.ts";

/** GET /api/orders/{id} */
export const showOrder =
  ({ queries }: Parts) =>
  async ({ orderId }: OrderCall): Promise<Answer> => {
    const found = await queries.getOrder(orderId);
    if (!found) throw notFound();
    return { body: presentOrder(found) };
  };

/** POST /api/orders/lookup: what anybody who knows the number may see. */
export const lookUp =
  ({ queries }: Parts) =>
  async ({ caller, body }: Call<{ orderNumber: string }>): Promise<Answer> => {
    const found = await byNumber(queries, body.orderNumber);
    const holder = caller.holds(found.orderId);
    return { body: presentLookup(found, { holder, mayCancel: holder || isStaff(caller) }) };
  };

/** GET /api/orders/lookup/{orderNumber}: name and e-mail in full to the holder alone, and to nobody after the purge. */
export const lookUpContact =
  ({ queries, desk }: Parts) =>
  async ({ caller, request }: Call): Promise<Answer> => {
    const found = await byNumber(queries, String(request.params.orderNumber));
    const contact = await openContact(desk.vault, found.contactRef);
    return { body: presentContactLookup(found, contact, caller.holds(found.orderId)) };
  };

/** POST /api/orders/access: exchanges the key of a mail's link for the order's cookie. */
export const enterByLink =
  ({ queries, access }: Parts) =>
  async ({ request, response, body }: Call<AccessRequest>): Promise<Answer> => {
    const found = await byNumber(queries, body.orderNumber);
    const worth = access.checkLinkKey(found.orderId, body.key);
    if (worth === "wrong") throw notFound();
    if (worth === "expired") throw new Problem(410, "link-expired", "This link is no longer valid.");
    access.grant(request, response, found.orderId);
    return { body: presentOrder(found) };
  };

async function byNumber(queries: Parts["queries"], typed: string): Promise<OrderLookup> {
  const orderNumber = parseOrderNumber(typed);
  const found = orderNumber === undefined ? undefined : await queries.lookup(orderNumber);
  if (!found) throw notFound();
  return found;
}
