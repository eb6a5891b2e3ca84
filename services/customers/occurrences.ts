import type { ActorKind } from "../../domain/decider.ts";
import type { OrderEvent } from "../../domain/order/events.ts";
import type { PastEvent } from "../orders/staff/order-history.ts";
import { words } from "../orders/staff/page/code-words.ts";
import { wordsOf } from "../orders/staff/page/event-words.ts";
import type { PastTicketEvent } from "../tickets/ticket-history.ts";

/** An event, described to the person concerned. */
export type Occurrence = { readonly at: string; readonly what: string; readonly detail: string | null };

/** An access by staff: when, to what, why. */
export type LookAt = { readonly at: string; readonly what: string; readonly why: string };

const actorKinds: Readonly<Record<string, ActorKind>> = {
  customer: "customer",
  staff: "staff",
  system: "system",
  provider: "provider",
};

export function occurrenceOf(
  event: OrderEvent,
  { at, actor }: { readonly at: string; readonly actor: { readonly kind: string } },
): Occurrence {
  const { title, detail } = wordsOf(event, actorKinds[actor.kind] ?? "system");
  return { at, what: title, detail };
}

export const lookAtOrder = ({ event, metadata: { at } }: PastEvent): LookAt[] =>
  event.type === "PersonalDataRevealed"
    ? [{ at, what: words.dataClass[event.data.dataClass], why: words.reveal[event.data.reason] }]
    : [];

export const lookAtTicket = ({ event, at }: PastTicketEvent): LookAt[] =>
  event.type === "PersonalDataRevealed"
    ? [{ at, what: "the conversation", why: words.reveal[event.data.reason] }]
    : [];
