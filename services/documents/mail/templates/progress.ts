import {
  afterWords,
  destroyedWords,
  groupedFingerprint,
  probeWords,
  ruleWords,
} from "../../../../domain/order/personal-data/deletion-words.ts";
import { retentionWords } from "../../../../domain/order/personal-data/held-words.ts";
import type { PurgeReceipt } from "../../../../domain/order/state.ts";
import { customerWording, type OrderStatus } from "../../../../domain/order/status.ts";
import { londonDate } from "../../../../domain/promise/london-time.ts";
import { afterDespatch, postWords } from "../../../../domain/promise/timetable.ts";
import { expectedDays, writtenDate, writtenMoment } from "../../dates.ts";
import {
  type Block,
  button,
  type Fact,
  facts,
  heading,
  type Letter,
  type Occasion,
  type OneOfSeveral,
  paragraph,
  postedTo,
  section,
} from "../letter.ts";

type SubmittedValues = Occasion & { submittedAt: string; despatchBy: string | undefined };

export const submitted = (values: SubmittedValues): Letter => ({
  subject: "The GRO has your application",
  blocks: [
    paragraph(
      `Your application reached the General Register Office (GRO) on ${writtenMoment(values.submittedAt)}.`,
      values.despatchBy === undefined
        ? ""
        : ` ${expectedDays(values.despatchBy)} It will ${values.recipientName === undefined ? "come" : "go"} by post ${postedTo(values)}.`,
    ),
    paragraph(
      "We are deleting the sensitive details in your application now. Within 3 minutes you will get a receipt that shows what was deleted, when, how we checked it, and the fingerprint of the destroyed key.",
    ),
    paragraph("The GRO has your application, so the order can no longer be cancelled."),
    button("Track your order", values.trackingLink),
  ],
});

type SubmittedOrder = OneOfSeveral & Pick<SubmittedValues, "submittedAt" | "despatchBy">;

export const submittedTogether = (values: Occasion, orders: readonly SubmittedOrder[]): Letter => ({
  subject: "The GRO has your applications",
  blocks: [
    paragraph(
      `Your applications reached the General Register Office (GRO). The certificates will ${values.recipientName === undefined ? "come" : "go"} separately, by post ${postedTo(values)}.`,
    ),
    ...orders.flatMap((order) =>
      section(
        order,
        facts(
          { name: "Order number", value: order.orderNumber },
          { name: "Reached the GRO", value: writtenMoment(order.submittedAt) },
        ),
        ...(order.despatchBy === undefined ? [] : [paragraph(expectedDays(order.despatchBy))]),
        button(`Track order ${order.orderNumber}`, order.trackingLink),
      ),
    ),
    heading("What happens next"),
    paragraph(
      "We delete the sensitive details in each application as soon as the GRO has it. Within 3 minutes you will get receipts that show what was deleted, when, how we checked it, and the fingerprints of the destroyed keys.",
    ),
    paragraph("The GRO has your applications, so these orders can no longer be cancelled."),
  ],
});

type DataDeletedValues = Occasion & PurgeReceipt & { purgedAt: string; contactRetentionDays: number };

type Deletion = PurgeReceipt & Pick<DataDeletedValues, "orderNumber" | "purgedAt">;

function receipt(values: Deletion): Block {
  const after = afterWords(values.secondsSinceSubmission);
  const lines: Fact[] = [
    { name: "Order", value: values.orderNumber },
    { name: "Destroyed", value: destroyedWords(values.destroyed) },
    { name: "When", value: writtenMoment(values.purgedAt) },
    ...(after ? [{ name: "After", value: after }] : []),
    { name: "Because", value: ruleWords(values.rule) },
    { name: "Checked by", value: probeWords },
    { name: "Key", value: groupedFingerprint(values.keyFingerprint) },
  ];
  return facts(...lines);
}

const kept = ({ recipientName }: Occasion, contactRetentionDays: number, what: string): Block =>
  paragraph(
    `We keep your name and address${recipientName === undefined ? "" : ", and the recipient’s,"} for ${retentionWords(contactRetentionDays)} after ${what} is closed, then delete them in the same way.`,
  );

export const dataDeletedTogether = (
  values: Occasion & Pick<DataDeletedValues, "contactRetentionDays">,
  orders: readonly (OneOfSeveral & Deletion)[],
): Letter => ({
  subject: "Your sensitive details were deleted",
  blocks: [
    paragraph(
      "The sensitive details in your applications can no longer be read by anyone, not even from a backup. These are your receipts.",
    ),
    ...orders.flatMap((order) =>
      section(order, receipt(order), button("See its certificate of deletion", order.trackingLink)),
    ),
    heading("What we keep"),
    kept(values, values.contactRetentionDays, "each order"),
    paragraph(
      "A minute after a deletion, you can also download a proof from the order’s page: a small file which shows that the deletion is on record in our public log.",
    ),
  ],
});

export function dataDeleted(values: DataDeletedValues): Letter {
  return {
    subject: "Your sensitive details were deleted",
    blocks: [
      paragraph(
        "The sensitive details in your application can no longer be read by anyone, not even from a backup. This is your receipt.",
      ),
      receipt(values),
      kept(values, values.contactRetentionDays, "the order"),
      paragraph(
        "A minute after the deletion, you can also ",
        { link: "download a proof from your order’s page", to: values.trackingLink },
        ": a small file which shows that the deletion is on record in our public log.",
      ),
      button("See the certificate of deletion", values.trackingLink),
    ],
  };
}

/** The card was refused, with no payment since. It may have been for other orders too, so no sum is named. */
export const paymentFailed = (values: Occasion): Letter => ({
  subject: "Your payment did not go through",
  blocks: [
    paragraph(
      `Your card was refused, so nothing was charged and nothing was sent to the General Register Office (GRO). You can still pay on the page you were using.`,
    ),
    paragraph(
      "If you have closed that page, please order again. We delete unpaid orders, with everything you entered, within a day.",
    ),
    button("See your order", values.trackingLink),
  ],
});

/** The GRO has a question, and we no longer hold the application. */
export const groQuestion = (values: Occasion): Letter => ({
  subject: "The GRO has a question about your application",
  blocks: [
    paragraph(
      "The General Register Office (GRO) needs a correction or more information before it can continue with your application.",
    ),
    paragraph(
      "We deleted the details of your application after we submitted it, so we cannot answer for you. Please open your order and enter the details again. We will submit them, then delete them again.",
    ),
    button("Open your order", values.trackingLink),
  ],
});

type DispatchedValues = Occasion & { leftGroAt: string };

export function dispatched({ leftGroAt, trackingLink, ...values }: DispatchedValues): Letter {
  const { missingFrom, closesOn } = afterDespatch(leftGroAt);
  return {
    subject: "Your certificate is in the post",
    blocks: [
      paragraph(
        `The General Register Office (GRO) despatched your certificate on ${writtenMoment(leftGroAt)}, by post ${postedTo(values)}.`,
      ),
      paragraph(
        `The post usually takes ${postWords}. If it has not arrived by ${writtenDate(missingFrom)}, contact us: from then on we can ask the GRO to send another.`,
      ),
      paragraph(
        `When it has arrived, you can tell us on your order’s page, and we’ll close the order. Otherwise we close it on ${writtenDate(closesOn)}.`,
      ),
      button("See your order", trackingLink),
    ],
  };
}

type DispatchedOrder = OneOfSeveral & Pick<DispatchedValues, "leftGroAt">;

export const dispatchedTogether = (values: Occasion, orders: readonly DispatchedOrder[]): Letter => ({
  subject: "Your certificates are in the post",
  blocks: [
    paragraph(
      `The General Register Office (GRO) despatched your certificates separately, by post ${postedTo(values)}. The post usually takes ${postWords}.`,
    ),
    ...orders.flatMap((order) => {
      const { missingFrom, closesOn } = afterDespatch(order.leftGroAt);
      return section(
        order,
        facts(
          { name: "Order number", value: order.orderNumber },
          { name: "Despatched", value: writtenMoment(order.leftGroAt) },
          { name: "Contact us if it has not arrived by", value: writtenDate(missingFrom) },
          { name: "We close the order on", value: writtenDate(closesOn) },
        ),
        button(`See order ${order.orderNumber}`, order.trackingLink),
      );
    }),
    heading("If one does not arrive"),
    paragraph(
      "From the day that is given with it, we can ask the GRO to send another. When a certificate has arrived, you can tell us on its order’s page, and we’ll close the order.",
    ),
  ],
});

type EmailChangedValues = Pick<Occasion, "orderNumber"> & { changedAt: string; supportEmail: string };

/** To the previous address, whose owner may not be the customer: a link would open the order. */
export const emailChanged = ({ orderNumber, changedAt, supportEmail }: EmailChangedValues): Letter => ({
  subject: "Your order’s email address was changed",
  blocks: [
    paragraph(
      `The email address of order ${orderNumber} was changed on ${writtenMoment(changedAt)}. From now on, our emails about it go to the new address instead of this one.`,
    ),
    paragraph("If you asked for this, you do not need to do anything."),
    paragraph(
      `If you did not ask for this, someone else may have access to your order. Please email ${supportEmail} straight away and give us the order number.`,
    ),
    paragraph("For security, this email has no link to the order and does not show the new address."),
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
