import { randomUUID } from "node:crypto";
import type { OrderCommand } from "../../domain/order/commands.ts";
import { certificateType } from "../../domain/order/vocabulary.ts";
import { openTicket, replyByMail } from "../../services/tickets/write-in-ticket.ts";
import {
  confirmedOrder,
  execute,
  type PaidOrder,
  paidOrder,
  purgedOrder,
  staffBrowser,
  submittedOrder,
  submittingOrder,
} from "../../testing/gateway/admin-order-fixture.ts";
import { draftBody, newDraftKey } from "../../testing/gateway/request-bodies-fixture.ts";
import {
  awaitingPayment,
  createdOrder,
  pricedOrder,
  type TestStack,
} from "../../testing/gateway/stack-fixture.ts";
import type { TestBrowser } from "../../testing/gateway/test-browser.ts";
import { mailMessage, ticketRequest } from "../../testing/services/ticket-fixture.ts";

type Order = { readonly id: string; readonly orderNumber: string; readonly intentId?: string };

/** What requests are about: an order with its holder, a checkout, a conversation, a customer, a saved order. */
export type Subject = {
  readonly order: Order;
  /** Of two priced orders of the holder's. */
  readonly checkout: { readonly id: string; readonly orderIds: readonly string[] };
  readonly holder: TestBrowser;
  /** Holder of another order. */
  readonly other: TestBrowser;
  readonly ticketNumber: string;
  /** Of an email with a file in that ticket. */
  readonly messageId: string;
  readonly customerId: string;
  /** Opens a saved order. */
  readonly draftKey: string;
};

type OrderMaker = (stack: TestStack, holder: TestBrowser) => Promise<Order>;

const amountPence = 4500;
export const disputeId = "du_1";

/** A paid order after these commands. */
const after =
  (
    start: (stack: TestStack, holder: TestBrowser) => Promise<PaidOrder>,
    commandsOf: (intentId: string) => readonly OrderCommand[],
  ): OrderMaker =>
  async (stack, holder) => {
    const order = await start(stack, holder);
    for (const command of commandsOf(order.intentId)) await execute(stack, order.id, command);
    return order;
  };

const refund = (intentId: string, approvalAbovePence: number | null): OrderCommand => ({
  type: "RequestRefund",
  data: { intentId, amountPence, reason: "staffDecision", approvalAbovePence },
});
const failedRefund = (intentId: string): OrderCommand => ({
  type: "RecordRefundFailure",
  data: { refundId: null, providerRefundId: "re_1", intentId, amountPence, code: "declined" },
});

/** Given back by staff, after the refund failed. */
const transferred: OrderMaker = async (stack, holder) => {
  const order = await stages.refundFailed(stack, holder);
  const staff = await staffBrowser(stack);
  await staff.post(`/api/admin/orders/${order.orderNumber}/actions/record-bank-transfer`, {
    reason: "customerAsked",
    expectedRevision: (await stack.events(order.id)).length - 1,
    intentId: order.intentId,
    amountPence,
    reference: "FT-4711",
  });
  return order;
};

const dispatchedAt = () => new Date().toISOString();

/** How far orders have come. */
const stages = {
  created: (_, holder) => createdOrder(holder),
  priced: (_, holder) => pricedOrder(holder),
  awaitingPayment: (_, holder) => awaitingPayment(holder),
  paid: paidOrder,
  confirmed: confirmedOrder,
  submitting: submittingOrder,
  submitted: submittedOrder,
  dispatched: after(submittedOrder, () => [
    { type: "RecordDispatch", data: { attempt: 1, dispatchedAt: dispatchedAt() } },
  ]),
  purged: purgedOrder,
  proposed: after(confirmedOrder, (intentId) => [refund(intentId, 0)]),
  refundFailed: after(confirmedOrder, (intentId) => [failedRefund(intentId)]),
  refundUnassigned: after(confirmedOrder, (intentId) => [
    { type: "RecordUnassignedRefund", data: { providerRefundId: "re_1", intentId, amountPence } },
  ]),
  transferred,
  disputed: after(confirmedOrder, (intentId) => [
    {
      type: "RecordDispute",
      data: { disputeId, intentId, amountPence, reason: "general", outcome: null },
    },
  ]),
} satisfies Readonly<Record<string, OrderMaker>>;

type Stage = keyof typeof stages;

const inOrder: readonly OrderMaker[] = Object.values(stages);

/** The stage that a request needs to be carried out, by the end of its address. */
const neededBy: Readonly<Record<string, Stage>> = {
  "amend-application": "confirmed",
  "start-submission": "confirmed",
  "record-submission": "submitting",
  "record-submission-failure": "submitting",
  "record-outcome": "submitted",
  "record-dispatch": "submitted",
  variants: "created",
  fail: "submitted",
  arrival: "dispatched",
  refund: "confirmed",
  "approve-proposal": "proposed",
  "decline-proposal": "proposed",
  "assign-refund": "refundUnassigned",
  "record-bank-transfer": "refundFailed",
  "record-bank-transfer-return": "transferred",
  "record-dispute-outcome": "disputed",
};

/** Every other time what the route needs, if it needs a stage. */
function makerFor(route: string, nth: number): OrderMaker {
  const needed = neededBy[route.split("/").at(-1) ?? ""];
  return (needed && nth % 2 === 0 ? stages[needed] : inOrder[nth % inOrder.length]) ?? stages.priced;
}

/**
 * Makes anew what a route changes, and takes the rest from before.
 * @param nth decides how far the order has come, and what the ticket is about
 */
export async function makeSubject(
  stack: TestStack,
  route: string,
  nth: number,
  before: Subject | undefined,
): Promise<Subject> {
  const needsOrder = /orders|payment-intent/.test(route);
  const needsCheckout = route.includes("/checkouts");
  const needsTicket = /ticketNumber|tickets\/(view|replies|link|attachments|mail-content)/.test(route);
  const needsCustomer = route.includes("/customers/{id}");
  const needsDraft = route.includes("/drafts/");
  await offerEveryType(stack);
  const [holder, other] = [stack.browser(), before?.other ?? stack.browser()];
  if (!before) await createdOrder(other);
  const isKept = before && !needsOrder && !needsCheckout;
  return {
    ...(isKept
      ? { order: before.order, holder: before.holder, checkout: before.checkout }
      : {
          order: await makerFor(route, nth)(stack, holder),
          holder,
          checkout: before && !needsCheckout ? before.checkout : await aCheckout(holder),
        }),
    other,
    ...(before && !needsTicket
      ? { ticketNumber: before.ticketNumber, messageId: before.messageId }
      : await aTicket(stack, nth)),
    customerId: before && !needsCustomer ? before.customerId : await aCustomer(stack),
    draftKey: before && !needsDraft ? before.draftKey : await aDraft(stack),
  };
}

/** A request may have withdrawn one, and then no order could be made. */
async function offerEveryType({ settings, deps }: TestStack): Promise<void> {
  const { orderableTypes } = settings.current();
  for (const type of certificateType.options.filter((each) => !orderableTypes.includes(each)))
    await settings.execute({
      command: { type: "ToggleCertificateType", data: { certificateType: type, orderable: true } },
      commandId: deps.newId(),
      by: { actor: { kind: "staff", id: "a-manager" }, correlationId: deps.newId() },
      expectedRevision: settings.current().revision,
    });
}

async function aCheckout(holder: TestBrowser): Promise<Subject["checkout"]> {
  const orderIds = [(await pricedOrder(holder)).id, (await pricedOrder(holder)).id];
  return { id: (await holder.post("/api/checkouts", { orderIds })).body.id, orderIds };
}

async function aTicket(stack: TestStack, nth: number): Promise<Pick<Subject, "ticketNumber" | "messageId">> {
  const request = ticketRequest({ category: nth % 2 === 0 ? "question" : "serviceComplaint" });
  const opened = await openTicket(stack.deps, request, null, undefined, "a-request");
  const { ticketId, ticketNumber } = opened.ticket;
  const { ticket } = await replyByMail(stack.deps, {
    ticketId,
    mail: mailMessage({ commandId: `mail-${ticketId}` }),
    by: { actor: { kind: "customer", id: ticketId }, correlationId: "a-mail" },
  });
  return { ticketNumber, messageId: ticket.messages.at(-1)?.messageId ?? "" };
}

async function aDraft(stack: TestStack): Promise<string> {
  const key = newDraftKey();
  await stack.browser().post("/api/drafts", draftBody({ key }));
  return key;
}

/** A customer who wrote to us, and can be found. */
async function aCustomer(stack: TestStack): Promise<string> {
  const email = `${randomUUID()}@mail.example`;
  const { ticket } = await openTicket(stack.deps, ticketRequest({ email }), null, undefined, "a-request");
  await stack.makeFindable(ticket.ticketId);
  const headers = { Authorization: `Bearer ${await stack.token("staff")}` };
  const found = await stack
    .browser()
    .post("/api/admin/customers/search", { by: "email", typed: email }, headers);
  return found.body.customers[0].id;
}
