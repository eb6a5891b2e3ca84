import { request } from "../../api/request.ts";
import { adminApi } from "../paths.ts";

/** What every act upon an order says: why, and upon which revision it was decided. What an action needs besides comes along. */
export interface OrderAct {
  readonly reason: string;
  /** Empty when there is none; sealed with the contact data. */
  readonly note: string;
  readonly expectedRevision: number;
  readonly [field: string]: unknown;
}

/** `recordSubmission` as it stands in an address. */
const dashed = (action: string): string => action.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * POST …/actions/{action}: does something with an order.
 * @throws ApiError: 409 `changed-meanwhile` when it is not what was seen, 409 `forbidden-in-phase`, 422
 */
export async function actOnOrder(
  orderNumber: string,
  action: string,
  act: OrderAct,
  idempotencyKey: string,
): Promise<void> {
  await request("POST", adminApi.orderAction(orderNumber, dashed(action)), act, { idempotencyKey });
}
