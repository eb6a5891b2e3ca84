import type { ContactRecord } from "../../../domain/forms/sealed-records.ts";
import { returnsAtEnd } from "../../../domain/order/payment/refund-tasks.ts";
import { owedMail } from "../../../domain/order/shared-mails.ts";
import type { Order } from "../../../domain/order/state.ts";
import { statusOf } from "../../../domain/order/status.ts";
import { cancellationReason, failureReason, type MailTemplate } from "../../../domain/order/vocabulary.ts";
import type { Company } from "../../../domain/settings/company.ts";
import { mailGeneration, type ReturnTo } from "../../correspondence/return-address.ts";
import type { OrderAccess } from "../../orders/requests/order-access.ts";
import type { Mail } from "../../providers/smtp/mailer.ts";
import {
  addressMail,
  composerOf,
  greetingOf,
  type Letter,
  type Occasion,
  type OneOfSeveral,
  type Template,
} from "./letter.ts";
import { type ConfirmedCertificate, confirmation } from "./templates/confirmation.ts";
import {
  cancellationTooLate,
  cancelled,
  cancelledTogether,
  failed,
  inAll,
  refunded,
  refundedTogether,
} from "./templates/endings.ts";
import {
  dataDeleted,
  dataDeletedTogether,
  dispatched,
  dispatchedTogether,
  emailChanged,
  groQuestion,
  orderLinks,
  paymentFailed,
  submitted,
  submittedTogether,
} from "./templates/progress.ts";

/** As long as the browser that placed an order keeps its access. */
const linkLastsMs = 180 * 86_400_000;

type MailFacts = {
  order: Order;
  occasion: Occasion;
  company: Company;
  contactRetentionDays: number;
  submittedByHand: boolean;
  /** When the mail fell due: the time of its event. */
  since: string | undefined;
  links: ListedOrders | undefined;
  /** All orders that the mail tells of, this one first. */
  told: readonly Reported[];
  linkTo: (order: Order) => string;
};

/** One of several orders that a mail tells of, and when its own event happened. */
type Reported = OneOfSeveral & { readonly order: Order; readonly since: string | undefined };

/** Orders that a mail with links lists, newest first. `more`: there are others. */
type ListedOrders = { readonly orders: readonly Order[]; readonly more: boolean };

const templates: Readonly<Record<MailTemplate, Template<MailFacts>>> = {
  confirmation: { version: 8, write: writeConfirmation },
  submitted: {
    version: 6,
    write: ({ occasion, told }) =>
      forOneOrAll(told, submittedOf, {
        one: (facts) => submitted({ ...occasion, ...facts }),
        all: (orders) => submittedTogether(occasion, orders),
      }),
  },
  dataDeleted: {
    version: 6,
    write: ({ occasion, contactRetentionDays, told }) =>
      forOneOrAll(told, deletionOf, {
        one: (facts) => dataDeleted({ ...occasion, ...facts, contactRetentionDays }),
        all: (orders) => dataDeletedTogether({ ...occasion, contactRetentionDays }, orders),
      }),
  },
  paymentFailed: { version: 3, write: ({ occasion }) => paymentFailed(occasion) },
  groQuestion: { version: 2, write: ({ occasion }) => groQuestion(occasion) },
  dispatched: {
    version: 7,
    write: ({ occasion, told }) =>
      forOneOrAll(told, ({ order }) => ({ leftGroAt: known(order.leftGroAt) }), {
        one: (facts) => dispatched({ ...occasion, ...facts }),
        all: (orders) => dispatchedTogether(occasion, orders),
      }),
  },
  cancelled: { version: 6, write: writeCancelled },
  cancellationTooLate: {
    version: 2,
    write: ({ order, occasion, since }) =>
      cancellationTooLate({
        ...occasion,
        submittedAt: order.submission?.submittedAt ?? known(since),
      }),
  },
  failed: { version: 5, write: writeFailed },
  refunded: { version: 4, write: writeRefunded },
  orderLinks: { version: 1, write: writeOrderLinks },
  emailChanged: {
    version: 1,
    write: ({ occasion: { orderNumber }, company: { supportEmail }, since }) =>
      emailChanged({ orderNumber, changedAt: known(since), supportEmail }),
  },
};

/** Writes the mails of orders from their state and the contact record. */
export function composeOrderMails(parts: {
  /** Read for each mail. */
  company: () => Company;
  contactRetentionDays: () => number;
  /** True if staff submit, which takes longer than minutes. False by default. */
  submittedByHand?: boolean;
  /** The link that opens an order without signing in. */
  trackingLink: OrderAccess["trackingLink"];
  returnTo: ReturnTo;
  now: () => Date;
}): OrderMails {
  const { trackingLink, now } = parts;
  const write = ({
    order,
    contact,
    template,
    about,
    links,
    together = [],
  }: MailOccasion): Mail | undefined => {
    if (!contact) return undefined;
    const company = parts.company();
    // Until it is paid for, anyone can order in the name of any address, as often as they like.
    const isPaid = order.paidAt !== null;
    const expires = new Date(now().getTime() + linkLastsMs);
    const linkTo = (order: Order) => trackingLink(order, expires);
    const occasion: Occasion = {
      name: isPaid ? contact.contactFullName : greetingOf(contact.contactFullName),
      recipientName: contact.recipient?.fullName,
      orderNumber: order.orderNumber,
      trackingLink: linkTo(order),
    };
    const reported = (order: Order, about: string | undefined): Reported => ({
      order,
      since: owedMail(order, { template, about })?.since,
      orderNumber: order.orderNumber,
      trackingLink: linkTo(order),
      certificateType: order.variant?.certificateType ?? "",
    });
    const told = [reported(order, about), ...together.map((other) => reported(other.order, other.about))];
    const letter = templates[template].write({
      order,
      occasion,
      company,
      contactRetentionDays: parts.contactRetentionDays(),
      submittedByHand: parts.submittedByHand ?? false,
      since: told[0]?.since,
      links,
      told,
      linkTo,
    });
    // A mail about several orders names them in its text.
    const messageId = `${template}.${about}`;
    const thread = { kind: "order", id: order.orderId } as const;
    // A reply from the previous address is not the customer's.
    const isToPrevious = template === "emailChanged";
    const isAboutSeveral = (links !== undefined && links.orders.length > 1) || together.length > 0;
    return addressMail(letter, {
      to: contact.email,
      name: occasion.name,
      reference: isAboutSeveral ? undefined : { name: "Order", value: order.orderNumber },
      customerReference: isPaid && !isAboutSeveral ? contact.customerReference : undefined,
      company,
      messageId,
      thread,
      returnTo: isToPrevious
        ? undefined
        : parts.returnTo({ subject: thread, messageId, generation: mailGeneration(order) }),
    });
  };
  return composerOf(templates, write);
}

function writeConfirmation({ order, occasion, company, submittedByHand, told }: MailFacts): Letter {
  return confirmation(
    {
      ...occasion,
      certificates: told.map((each) => confirmedOf(each.order, each.trackingLink)),
      termsVersion: order.terms?.version,
      beginAskedAt: order.consent?.acceptedAt,
      submittedByHand,
    },
    company,
  );
}

function confirmedOf(order: Order, trackingLink: string): ConfirmedCertificate {
  const { feePerCopy, ...variant } = known(order.variant);
  return {
    ...feePerCopy,
    orderNumber: order.orderNumber,
    trackingLink,
    certificateType: variant.certificateType,
    serviceLevel: variant.serviceLevel,
    copies: variant.copies,
    totalPence: variant.totalPence,
    orderedAt: order.createdAt,
    paidAt: known(order.paidAt),
    despatchBy: order.promise?.despatchBy,
  };
}

/** Writes about one order, or about all of several. @param factsOf what is to be said of each */
function forOneOrAll<Facts>(
  told: readonly Reported[],
  factsOf: (reported: Reported) => Facts,
  letters: {
    readonly one: (facts: Facts) => Letter;
    readonly all: (orders: readonly (OneOfSeveral & Facts)[]) => Letter;
  },
): Letter {
  const [first] = told;
  return first && told.length === 1
    ? letters.one(factsOf(first))
    : letters.all(told.map((each) => ({ ...each, ...factsOf(each) })));
}

/** An application replaced before this mail was sent has no submission any more; its time remains. */
const submittedOf = ({ order, since }: Reported) => ({
  submittedAt: order.submission?.submittedAt ?? known(since),
  despatchBy: order.promise?.despatchBy,
});

function deletionOf({ order }: Reported) {
  const { purgedAt, receipt } = order.purges.application;
  return { ...known(receipt), purgedAt: known(purgedAt) };
}

function writeCancelled({ order, occasion, told }: MailFacts): Letter {
  const reason = cancellationReason.parse(known(order.end).reason);
  const cancelledOf = (each: Reported) => ({
    cancelledAt: known(each.order.end).at,
    money: inAll(returnsAtEnd(each.order)),
  });
  return forOneOrAll(told, cancelledOf, {
    one: (facts) => cancelled({ ...occasion, reason, ...facts }),
    all: (orders) => cancelledTogether(reason, orders),
  });
}

function writeFailed({ order, occasion, company }: MailFacts): Letter {
  const { reason, cause, isUnsubmitted = false } = known(order.end);
  const why = failureReason.parse(reason);
  const returns = returnsAtEnd(order);
  const goesBackInFull = cause === "ours" || isUnsubmitted;
  const money = goesBackInFull ? inAll(returns) : returns.find((one) => one.reason === "recordNotFound");
  return failed({ ...occasion, cause: known(cause), reason: why, isUnsubmitted, money }, company);
}

/** The mail does not name its refund, but it fell due when the refund was made. */
function writeRefunded({ occasion, told }: MailFacts): Letter {
  const refundOf = ({ order, since }: Reported) => {
    const refund = order.refunds.find(({ status, at }) => status === "issued" && at === since);
    const { amountPence, way, at } = known(refund);
    return { amountPence, way, refundedAt: at };
  };
  return forOneOrAll(told, refundOf, {
    one: (facts) => refunded({ ...occasion, ...facts }),
    all: refundedTogether,
  });
}

function writeOrderLinks({ order, links, linkTo }: MailFacts): Letter {
  const { orders, more } = known(links);
  return orderLinks({
    more,
    // The one that recorded the request may have turned a year old since.
    orders: (orders.length > 0 ? orders : [order]).map((order) => ({
      orderNumber: order.orderNumber,
      certificateType: known(order.variant).certificateType,
      copies: known(order.variant).copies,
      orderedAt: order.createdAt,
      status: statusOf(order.phase),
      link: linkTo(order),
    })),
  });
}

/** Data the order must have when this mail is due; without it, no mail is sent. */
function known<T>(value: T | null | undefined): T {
  if (value === null || value === undefined)
    throw new Error("A mail is due, but the order lacks data for it.");
  return value;
}

/** The event of a mail; `contact` is undefined once the record was purged. */
type MailOccasion = {
  order: Order;
  contact: ContactRecord | undefined;
  template: MailTemplate;
  about: string;
  /** For the mail with links. */
  links?: ListedOrders | undefined;
  /** Other orders that the mail tells of, and their own events. */
  together?: readonly { readonly order: Order; readonly about: string | undefined }[];
};

export interface OrderMails {
  /** `mail` is undefined without a recipient. */
  compose(occasion: MailOccasion): { templateVersion: number; mail: Mail | undefined };
}
