import { useRef, useState } from "react";
import type { OpenedTicket } from "../../../../contract/tickets/ticket.ts";
import { keyPerBody, newIdempotencyKey } from "../../../api/idempotency-key.ts";
import { ApiError } from "../../../api/problem.ts";
import type { RequestOptions } from "../../../api/request.ts";

type Said<Body> = {
  readonly params: { readonly ticketNumber: string };
  readonly body: Body & { readonly expectedRevision: number };
};

/**
 * Does one thing to the ticket as it is on the page.
 * @param post sends the request: `(said, options) => send(assignTicket, said, options)`
 * @returns null when it was done, and the refusal in words when not
 */
export type Act = <Body extends object>(
  body: Body,
  post: (said: Said<Body>, options: RequestOptions) => Promise<unknown>,
) => Promise<string | null>;

/**
 * Acting on a ticket: with the revision on the page, so that nobody's answer crosses another's unseen, and with a key, so that a repeat
 * after a lost answer does nothing twice. Whatever came of it, the page shows the ticket as it then is.
 */
export function useActing(ticket: OpenedTicket, refresh: (acted?: boolean) => Promise<void>) {
  const keyOf = useRef(keyPerBody(newIdempotencyKey));
  const [busy, setBusy] = useState(false);
  const act: Act = async (body, post) => {
    const sent = { ...body, expectedRevision: ticket.revision };
    setBusy(true);
    try {
      const said = { params: { ticketNumber: ticket.ticketNumber }, body: sent };
      await post(said, { idempotencyKey: keyOf.current(sent) });
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

/** Why something was not done, and what to do about it. */
export function refusalWords(failure: unknown): string {
  if (!(failure instanceof ApiError))
    return "There was no response. Try again when you are connected: nothing will be done twice.";
  if (failure.code === "changed-meanwhile")
    return "This ticket changed while you were working, so nothing was sent. Read the new entries above, then try again.";
  if (failure.code === "forbidden-in-phase")
    return "This is no longer possible: the ticket has been destroyed, or this does not apply to it.";
  const fields = failure.fields.map(({ message }) => message).join(" ");
  return fields || failure.detail || "The request was rejected. Nothing has changed.";
}
