import { type Decider, Refused } from "../decider.ts";
import { ImpossibleHistory } from "../order/evolve.ts";
import type { MailTemplate } from "../order/vocabulary.ts";
import type { CheckoutCommand, CheckoutEvent, CheckoutEventData } from "./events.ts";
import { type Share, totalOf } from "./shares.ts";

/** Some orders that are paid for together: the fold of its events. */
export interface Checkout {
  readonly isOpened: true;
  readonly checkoutId: string;
  /** In the sequence in which the customer chose them. */
  readonly orderIds: readonly string[];
  /** The nth has the attempt n, from 1. Of all of them at most the last can still be paid. */
  readonly intents: readonly { readonly intentId: string; readonly shares: readonly Share[] }[];
  /** The first confirmation, by the order that sends it, and of which orders it tells; null until it is due. */
  readonly confirmation: CheckoutEventData<"ConfirmationPrepared"> | null;
  /** Of orders that the first does not tell of. */
  readonly furtherConfirmations: readonly CheckoutEventData<"ConfirmationPrepared">[];
  /** Other such mails. */
  readonly mails: readonly CheckoutEventData<"MailPrepared">[];
  /** What refunds by hand and disputes took from each order, by their ids at the provider. */
  readonly returns: ReadonlyMap<string, readonly Share[]>;
}

export type CheckoutState = Checkout | { readonly isOpened: false };

const absent: CheckoutState = { isOpened: false };

function evolve(state: CheckoutState, event: CheckoutEvent): CheckoutState {
  if (event.type === "CheckoutOpened") {
    if (state.isOpened) throw new ImpossibleHistory("The checkout was opened twice.");
    return {
      isOpened: true,
      ...event.data,
      intents: [],
      confirmation: null,
      furtherConfirmations: [],
      mails: [],
      returns: new Map(),
    };
  }
  if (!state.isOpened) throw new ImpossibleHistory(`${event.type} came before CheckoutOpened.`);
  switch (event.type) {
    case "IntentRequested": {
      const { intentId, shares } = event.data;
      return { ...state, intents: [...state.intents, { intentId, shares }] };
    }
    case "ConfirmationPrepared":
      return state.confirmation === null
        ? { ...state, confirmation: event.data }
        : { ...state, furtherConfirmations: [...state.furtherConfirmations, event.data] };
    case "MailPrepared":
      return { ...state, mails: [...state.mails, event.data] };
    case "ReturnDivided":
      return { ...state, returns: new Map([...state.returns, [event.data.returnId, event.data.shares]]) };
    default:
      return event satisfies never;
  }
}

type Rule =
  | "already-exists"
  | "order-twice"
  | "no-such-order"
  | "wrong-attempt"
  | "too-many-payment-requests";

/** As many as a customer may ask for in an order: each adds to the stream that every later request reads. */
const mostIntents = 20;

const forbidden = (rule: Rule, details: Refused["details"] = {}): Refused =>
  new Refused({ code: "forbidden-in-phase", phase: "Opened", rule, details });

/** What to throw where there is no checkout of an id. */
export const unknownCheckout = (): Refused =>
  new Refused({ code: "unknown-checkout", phase: "Absent", rule: "unknown-checkout" });

const isTwice = (ids: readonly string[]): boolean => new Set(ids).size < ids.length;

function assertOfCheckout(orderIds: readonly string[], shares: readonly Share[]): void {
  const ids = shares.map(({ orderId }) => orderId);
  if (isTwice(ids)) throw forbidden("order-twice");
  if (!ids.every((orderId) => orderIds.includes(orderId))) throw forbidden("no-such-order");
}

/** The caller has closed the intent before at the provider: a checkout is paid for once. */
function requestIntent(
  { orderIds, intents }: Checkout,
  data: Extract<CheckoutCommand, { type: "RequestIntent" }>["data"],
): CheckoutEvent[] {
  assertOfCheckout(orderIds, data.shares);
  if (intents.at(-1)?.intentId === data.intentId) return [];
  if (intents.length >= mostIntents) throw forbidden("too-many-payment-requests");
  const next = intents.length + 1;
  if (data.attempt !== next) throw forbidden("wrong-attempt", { attempt: next });
  return [{ type: "IntentRequested", data }];
}

/** The first division of a sum stands: a concurrent report may have divided it differently. */
function divideReturn(
  { orderIds, returns }: Checkout,
  data: Extract<CheckoutCommand, { type: "DivideReturn" }>["data"],
): CheckoutEvent[] {
  assertOfCheckout(orderIds, data.shares);
  const earlier = totalOf(returns.get(data.returnId) ?? []);
  return earlier === totalOf(data.shares) ? [] : [{ type: "ReturnDivided", data }];
}

const confirmationsOf = ({ confirmation, furtherConfirmations }: Checkout) =>
  confirmation === null ? [] : [confirmation, ...furtherConfirmations];

/** Of two orders that prepare one at once, the first stands: no order is told of twice. */
function prepareConfirmation(
  checkout: Checkout,
  data: Extract<CheckoutCommand, { type: "PrepareConfirmation" }>["data"],
): CheckoutEvent[] {
  const told = new Set(confirmationsOf(checkout).flatMap(({ orderIds }) => orderIds));
  const left = data.orderIds.filter((orderId) => !told.has(orderId));
  return left.includes(data.orderId)
    ? [{ type: "ConfirmationPrepared", data: { ...data, orderIds: left } }]
    : [];
}

/** The same of other mails: no event is told of twice. */
function prepareMail(
  { mails }: Checkout,
  data: Extract<CheckoutCommand, { type: "PrepareMail" }>["data"],
): CheckoutEvent[] {
  const alike = mails.filter(({ template }) => template === data.template);
  const told = new Set(alike.flatMap((mail) => mail.mails.map(({ about }) => about)));
  const left = data.mails.filter(({ about }) => !told.has(about));
  const isFirst = left.some(({ orderId }) => orderId === data.orderId);
  return isFirst ? [{ type: "MailPrepared", data: { ...data, mails: left } }] : [];
}

/** The mail that tells of an order, or of its event: whose it is, and of which orders it tells. */
export type PreparedMail = {
  readonly orderId: string;
  readonly told: readonly { readonly orderId: string; readonly about?: string }[];
};

export function preparedMail(
  checkout: Checkout,
  told: string,
  { template, about }: { readonly template: MailTemplate; readonly about: string },
): PreparedMail | undefined {
  if (template === "confirmation") {
    const confirmation = confirmationsOf(checkout).find(({ orderIds }) => orderIds.includes(told));
    return (
      confirmation && {
        orderId: confirmation.orderId,
        told: confirmation.orderIds.map((orderId) => ({ orderId })),
      }
    );
  }
  const found = checkout.mails.find(
    (mail) => mail.template === template && mail.mails.some((each) => each.about === about),
  );
  return found && { orderId: found.orderId, told: found.mails };
}

function decide(state: CheckoutState, command: CheckoutCommand): CheckoutEvent[] {
  if (command.type === "OpenCheckout") {
    if (state.isOpened) throw forbidden("already-exists");
    if (isTwice(command.data.orderIds)) throw forbidden("order-twice");
    return [{ type: "CheckoutOpened", data: command.data }];
  }
  if (!state.isOpened) throw unknownCheckout();
  switch (command.type) {
    case "RequestIntent":
      return requestIntent(state, command.data);
    case "PrepareConfirmation":
      return prepareConfirmation(state, command.data);
    case "PrepareMail":
      return prepareMail(state, command.data);
    case "DivideReturn":
      return divideReturn(state, command.data);
    default:
      return command satisfies never;
  }
}

export const checkoutDecider: Decider<CheckoutState, CheckoutCommand, CheckoutEvent> = {
  initial: absent,
  evolve,
  decide,
};
