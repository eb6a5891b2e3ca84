import { z } from "zod";
import * as contract from "../../contract/customers/customers.ts";
import type { Order } from "../../domain/order/state.ts";
import { londonDate } from "../../domain/promise/london-time.ts";
import type { SavedDraft } from "../../domain/saved-draft/state.ts";
import { isTicketGone } from "../../domain/ticket/state.ts";
import type { Position } from "../../infra/event-store/event-store.ts";
import { printPdf } from "../documents/print-pdf.ts";
import { notFound, Problem } from "../gateway/errors/problem.ts";
import type { HandlerDependencies } from "../gateway/parts.ts";
import { type StaffCall, staffRoute } from "../gateway/route.ts";
import { clientCommandId } from "../orders/command-ids.ts";
import type { OrderDependencies } from "../orders/dependencies.ts";
import type { OnBehalf } from "../orders/orders.ts";
import { workerOf } from "../tickets/requests/tickets.ts";
import {
  type Customer,
  loadCustomer,
  mostInAccount,
  nameAndEmailOf,
  revealCustomer,
  searchCustomers,
  type TicketOfCustomer,
} from "./customer.ts";
import { presentCandidates, presentCustomer, presentRevealed } from "./present-customer.ts";
import { gatherSubjectAccess, presentSubjectAccess } from "./subject-access.ts";
import { subjectAccessDocument } from "./subject-access-document.ts";

const seenNow = ({ deps, retention }: HandlerDependencies) => ({ now: deps.now().toISOString(), retention });

const recognise = async ({ deps }: HandlerDependencies, customer: Customer) => ({
  customer,
  who: await nameAndEmailOf(deps, customer),
});

/** The customer named in the path. @throws Problem 404, also once all their data is destroyed */
async function customerOf(
  dependencies: HandlerDependencies,
  { request }: Pick<StaffCall, "request">,
  most?: number,
  unreadable?: "refuses",
): Promise<Customer> {
  const customerId = z.uuid().safeParse(request.params.id);
  const found = customerId.success
    ? await loadCustomer(dependencies, customerId.data, most, unreadable)
    : undefined;
  if (!found) throw notFound();
  return found;
}

/** By POST, which keeps personal data out of URLs and their logs. */
export const searchForCustomers = staffRoute(contract.searchCustomers, (dependencies) => async ({ body }) => {
  const { customers, more } = await searchCustomers(dependencies, body.by, body.typed);
  const found = await Promise.all(customers.map((customer) => recognise(dependencies, customer)));
  return { body: presentCandidates(found, more, seenNow(dependencies)) };
});

/** Masked. */
export const showCustomer = staffRoute(contract.showCustomer, (dependencies) => async (call) => {
  const customer = await customerOf(dependencies, call);
  return { body: presentCustomer(await recognise(dependencies, customer), seenNow(dependencies)) };
});

export const showWhoItIs = staffRoute(contract.revealCustomer, (dependencies) => async (call) => {
  const customer = await customerOf(dependencies, call);
  const revealed = await revealCustomer(dependencies.deps, customer, call.body.reason, workerOf(call));
  if (!revealed) throw new Problem("personal-data-destroyed", "This data has been destroyed.");
  return { body: presentRevealed(revealed), position: revealed.position };
});

/** Made in memory from the vault, and never stored. */
export const exportCustomer = staffRoute(contract.exportCustomer, (dependencies) => async (call) => {
  const customer = await customerOf(dependencies, call, mostInAccount);
  const access = await gatherSubjectAccess(dependencies, customer, workerOf(call));
  const made = { ...seenNow(dependencies), controller: dependencies.settings.current().company };
  const name = `subject-access-${londonDate(access.madeAt)}`;
  const position = await dependencies.deps.orders.head();
  if (call.body.format === "pdf") {
    const bytes = await printPdf(subjectAccessDocument(access, made));
    return { file: { name: `${name}.pdf`, type: "application/pdf", bytes }, position };
  }
  const bytes = Buffer.from(JSON.stringify(presentSubjectAccess(access, made), null, 2));
  return { file: { name: `${name}.json`, type: "application/json", bytes }, position };
});

/** Says what is destroyed at once, and what is kept, why and for how long. */
export const eraseForCustomer = staffRoute(contract.eraseCustomer, (dependencies) => async (call) => {
  const by = { ...workerOf(call), reason: call.body.reason };
  // All or nothing: erasure must not be reported as requested while part of it cannot be.
  const found = await customerOf(dependencies, call, mostInAccount, "refuses");
  const { idempotencyKey } = call;
  const { customer, position } = await eraseCustomer(dependencies.deps, {
    customer: found,
    by,
    idempotencyKey,
  });
  return { body: presentCustomer({ customer, who: undefined }, seenNow(dependencies)), position };
});

type ErasureRequest = {
  readonly customer: Customer;
  readonly by: OnBehalf;
  readonly idempotencyKey: string | undefined;
};

/**
 * Requests erasure of all a customer's orders and tickets that still hold data, and ends their saved drafts. Policies destroy each, some at once,
 * when no legal ground requires it any longer; the log records request and destruction. Idempotent. @returns the
 * customer's state afterwards
 */
async function eraseCustomer(
  deps: OrderDependencies,
  { customer, by, idempotencyKey }: ErasureRequest,
): Promise<{ readonly customer: Customer; readonly position: Position }> {
  const request = (subjectId: string) => ({
    commandId: commandIdOf(deps, subjectId, by, idempotencyKey),
    by,
    command: { type: "RequestErasure", data: {} } as const,
  });
  const orders: Order[] = [];
  for (const { orderId } of customer.orders) {
    orders.push((await deps.orders.execute({ orderId, ...request(orderId) })).order);
  }
  const tickets: TicketOfCustomer[] = [];
  for (const { ticket, linked } of customer.tickets) {
    const { ticketId } = ticket;
    const current = isTicketGone(ticket)
      ? { ticket }
      : await deps.tickets.execute({ ticketId, ...request(ticketId) });
    tickets.push({ ticket: current.ticket, linked });
  }
  const drafts: SavedDraft[] = [];
  for (const { draftId } of customer.drafts) {
    const { commandId } = request(draftId);
    const command = { type: "EndDraft", data: { rule: "requested" } } as const;
    drafts.push(await deps.drafts.execute({ draftId, commandId, by, command }));
  }
  return { customer: { ...customer, orders, tickets, drafts }, position: await deps.orders.head() };
}

function commandIdOf(
  deps: OrderDependencies,
  subjectId: string,
  { actor }: OnBehalf,
  key: string | undefined,
): string {
  const scope = `erase-${subjectId}-${actor.id}`;
  return clientCommandId(deps.deriveId, deps.newId, key === undefined ? undefined : { scope, key });
}
