import { customerWording, type OrderStatus } from "../../../../domain/order/status.ts";
import { londonDate } from "../../../../domain/promise/london-time.ts";
import { writtenDate, writtenMoment } from "../../dates.ts";
import { type Block, button, facts, heading, type Letter, paragraph } from "./letter.ts";

/** The link to an unfinished order; nothing of what was typed. */
export const savedDraft = (values: {
  /** Opens the order in the form. */
  link: string;
  /** Leads to its deletion. */
  deletionLink: string;
  expiresAt: string;
}): Letter => ({
  subject: "The link to your unfinished order",
  blocks: [
    paragraph(
      "You asked us for a link to your unfinished order. It opens the form where you left off, on any device:",
    ),
    button("Continue My Order", values.link),
    paragraph(
      `The link works until ${writtenMoment(values.expiresAt)}. Then we delete what you entered. We also delete it if you save the order again, and once you have paid for it. You have not ordered or paid for anything yet, and we will not send reminders.`,
    ),
    paragraph(
      "If you no longer need it, you can ",
      { link: "delete what you entered now", to: values.deletionLink },
      ".",
    ),
    paragraph(
      "Anyone with this link can see what you entered, so please do not forward this email. If you did not ask for it, someone entered your address, perhaps by mistake. Please ignore this email and do not use its links.",
    ),
  ],
});

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
