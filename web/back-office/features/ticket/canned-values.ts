import type { OpenedTicket } from "../../../../contract/tickets/ticket.ts";
import { statusInSentence } from "../../../../domain/order/status.ts";
import {
  type CannedValues,
  cannedVariables,
  fillCannedAnswer,
} from "../../../../domain/settings/canned-answers.ts";
import { longDay } from "../../../ui/dates.ts";

/** Unfilled placeholders of a text, in words. */
export const leftOpen = (text: string): readonly string[] =>
  fillCannedAnswer(text, {}).missing.map((name) => cannedVariables[name]);

type Known = Pick<OpenedTicket, "contact" | "order" | "statedOrderNumber">;

/** Values for the placeholders of a canned answer. */
export function valuesOf({ contact, order, statedOrderNumber }: Known, companyName: string): CannedValues {
  const orderNumber = order?.orderNumber ?? statedOrderNumber;
  return {
    companyName,
    ...(contact && { customerName: contact.name }),
    ...(orderNumber !== null && { orderNumber }),
    ...(order && { status: statusInSentence(order.status) }),
    ...(order?.despatchBy && { expectedDespatch: longDay(order.despatchBy) }),
  };
}
