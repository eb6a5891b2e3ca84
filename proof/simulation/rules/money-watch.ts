import { type OrderEvent, orderEventSchema } from "../../../domain/order/events.ts";
import { eventMetadata } from "../../../infra/event-store/event-metadata.ts";
import type { NewEvent } from "../../../infra/event-store/event-store.ts";
import { refundLimitPence } from "../platform/product.ts";

type Proposed = { readonly by: string; readonly amountPence: number };
type CarriedOut = { readonly proposal: number | null; readonly amountPence: number };

const watched: ReadonlySet<string> = new Set<OrderEvent["type"]>([
  "RefundProposed",
  "BankTransferProposed",
  "DisputeOutcomeProposed",
  "RefundRequested",
  "BankTransferRecorded",
  "DisputeOpened",
  "DisputeReopened",
  "DisputeClosed",
  "UnassignedRefundFound",
  "RefundAssignedToOthers",
  "RefundIssued",
  "RefundFailed",
]);

/** Sees who decides about money, and whether a bank or staff are to decide about the same at the time. */
export class MoneyWatch {
  readonly #proposed = new Map<string, Proposed>();
  /** What each dispute is about in an order, in pence. */
  readonly #disputed = new Map<string, number>();
  readonly #open = new Map<string, Set<string>>();
  /** Refunds by hand that wait for staff. */
  readonly #unassigned = new Map<string, Set<string>>();

  /** @returns what must not have been appended */
  appended(orderId: string, { type, data, metadata }: NewEvent): string[] {
    if (!watched.has(type)) return [];
    const event = orderEventSchema.parse({ type, data });
    const by = eventMetadata.parse(metadata).actor.id;
    const propose = (proposal: number, amountPence: number) => {
      this.#proposed.set(`${orderId} ${proposal}`, { by, amountPence });
      return [];
    };
    switch (event.type) {
      case "RefundProposed":
      case "BankTransferProposed":
        return propose(event.data.proposal, event.data.amountPence);
      case "DisputeOutcomeProposed":
        return propose(event.data.proposal, this.#disputed.get(`${orderId} ${event.data.disputeId}`) ?? 0);
      case "RefundRequested":
      case "BankTransferRecorded":
        return [
          ...this.#duringDispute(orderId),
          ...this.#whileUnassigned(orderId),
          ...this.#decided(orderId, by, event.data),
        ];
      case "DisputeOpened":
        this.#disputed.set(`${orderId} ${event.data.disputeId}`, event.data.amountPence);
        return this.#opened(orderId, event.data.disputeId);
      case "DisputeReopened":
        return this.#opened(orderId, event.data.disputeId);
      case "DisputeClosed":
        return this.#closed(orderId, by, event.data);
      case "UnassignedRefundFound": {
        const waiting = this.#unassigned.get(orderId) ?? new Set();
        this.#unassigned.set(orderId, waiting.add(event.data.providerRefundId));
        return [];
      }
      case "RefundAssignedToOthers":
      case "RefundIssued":
      case "RefundFailed":
        this.#unassigned.get(orderId)?.delete(event.data.providerRefundId ?? "");
        return [];
      default:
        return [];
    }
  }

  #opened(orderId: string, disputeId: string): string[] {
    this.#open.set(orderId, (this.#open.get(orderId) ?? new Set()).add(disputeId));
    return [];
  }

  #closed(
    orderId: string,
    by: string,
    { disputeId, toldBy, proposal }: Extract<OrderEvent, { type: "DisputeClosed" }>["data"],
  ): string[] {
    this.#open.get(orderId)?.delete(disputeId);
    if (toldBy !== "staff") return [];
    const amountPence = this.#disputed.get(`${orderId} ${disputeId}`) ?? 0;
    if (proposal !== null || amountPence <= refundLimitPence)
      return this.#decided(orderId, by, { proposal, amountPence });
    return [`a dispute about ${amountPence} was closed by one person`];
  }

  #duringDispute(orderId: string): string[] {
    const isOpen = (this.#open.get(orderId)?.size ?? 0) > 0;
    return isOpen ? ["money goes back while a bank decides about the payment"] : [];
  }

  #whileUnassigned(orderId: string): string[] {
    const waits = (this.#unassigned.get(orderId)?.size ?? 0) > 0;
    return waits ? ["money goes back while staff are to say whose a refund is"] : [];
  }

  /** What exceeds the limit without a proposal is seen by the sum at the end. */
  #decided(orderId: string, by: string, { proposal, amountPence }: CarriedOut): string[] {
    if (proposal === null) return [];
    const proposed = this.#proposed.get(`${orderId} ${proposal}`);
    if (proposed?.amountPence !== amountPence)
      return [`proposal ${proposal} was about ${proposed?.amountPence}, not ${amountPence}`];
    return proposed.by === by ? [`proposal ${proposal} was approved by the person who made it`] : [];
  }
}
