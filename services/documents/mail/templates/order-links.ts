import { customerWording, type OrderStatus } from "../../../../domain/order/status.ts";
import { londonDate } from "../../../../domain/promise/london-time.ts";
import { writtenDate } from "./dates.ts";
import { type Block, button, facts, heading, type Letter, paragraph } from "./letter.ts";

type LinkedOrder = {
  orderNumber: string;
  certificateType: string;
  copies: number;
  orderedAt: string;
  status: OrderStatus;
  link: string;
};

type OrderLinksValues = { orders: readonly LinkedOrder[]; more: boolean };

const entry = ({ orderNumber, certificateType, copies, orderedAt, status, link }: LinkedOrder): Block[] => [
  heading(`${certificateType} certificate${copies === 1 ? "" : ` × ${copies}`}`),
  facts(
    { name: "Order number", value: orderNumber },
    { name: "Ordered", value: writtenDate(londonDate(orderedAt)) },
    { name: "Status", value: customerWording(status) },
  ),
  button("Open this order", link),
];

/** Links to the orders of an address. */
export const orderLinks = ({ orders, more }: OrderLinksValues): Letter => ({
  subject: orders.length === 1 ? "A link to your order" : "Links to your orders",
  blocks: [
    paragraph(
      orders.length === 1
        ? "You asked us for a link to your order. This is the one order placed with this email address in the last year:"
        : "You asked us for links to your orders. These were placed with this email address in the last year:",
    ),
    ...orders.flatMap(entry),
    ...(more
      ? [paragraph("You have more orders from the last year. We have listed only the newest ones.")]
      : []),
    paragraph(
      "Older orders, and orders whose contact details we have deleted, cannot be found by email address.",
    ),
    paragraph(
      "Anyone with one of these links can open the order, so please do not forward this email. If you did not ask for it, someone entered your address, perhaps by mistake. They were shown nothing, and you can ignore this email.",
    ),
  ],
});
