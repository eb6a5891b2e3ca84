import { useRef, useState } from "react";
import type { OpenedTicket } from "../../../../contract/tickets/ticket.ts";
import { keyPerBody, newIdempotencyKey } from "../../../api/idempotency-key.ts";
import { ApiError } from "../../../api/problem.ts";
import type { RequestOptions } from "../../../api/request.ts";

type TicketRequest<Body> = {
  readonly params: { readonly ticketNumber: string };
  readonly body: Body & { readonly expectedRevision: number };
};

/**
 * Acts on the ticket as shown on the page.
 * @param post sends the request: `(request, options) => send(assignTicket, request, options)`
 * @returns null on success, otherwise why it was refused
 */
export type Act = <Body extends object>(
  body: Body,
  post: (request: TicketRequest<Body>, options: RequestOptions) => Promise<unknown>,
) => Promise<string | null>;

/**
 * Acts on a ticket with its revision, to detect concurrent changes, and an idempotency key, for retries after a lost
 * response. Reloads the ticket afterwards.
 */
export function useActing(ticket: OpenedTicket, refresh: (acted?: boolean) => Promise<void>) {
  const keyOf = useRef(keyPerBody(newIdempotencyKey));
  const [busy, setBusy] = useState(false);
  const act: Act = async (body, post) => {
    const sent = { ...body, expectedRevision: ticket.revision };
    setBusy(true);
    try {
      const request = { params: { ticketNumber: ticket.ticketNumber }, body: sent };
      await post(request, { idempotencyKey: keyOf.current(sent) });
      await refresh(true);
      return null;
    } catch (failure) {
      if (isConflict(failure)) await refresh();
      return refusalWords(failure);
    } finally {
      setBusy(false);
    }
  };
  return { act, busy };
}

const isConflict = (failure: unknown): boolean => failure instanceof ApiError && failure.status === 409;

/** Why an action was refused, and what to do. */
export function refusalWords(failure: unknown): string {
  if (!(failure instanceof ApiError))
    return "There was no response. Try again when you are back online: nothing will be done twice.";
  if (failure.code === "changed-meanwhile")
    return "This ticket changed while you were working on it, so nothing was sent. Read the new entries above, then try again.";
  if (failure.code === "forbidden-in-phase")
    return "This is not possible: the ticket has been destroyed, or the action does not apply to it.";
  const fields = failure.fields.map(({ message }) => message).join(" ");
  return fields || failure.detail || "The request was rejected. Nothing has changed.";
}
