import { useState } from "react";
import type { OpenedTicket } from "../../../../contract/tickets/ticket.ts";
import { ApiError } from "../../../api/problem.ts";
import { newIdempotencyKey, type RequestOptions } from "../../../api/request.ts";
import { useConfig } from "../../../site/config.ts";
import { BusyButton } from "../../../ui/busy-button.tsx";
import { commandsAsSeen } from "../../commands-as-seen.ts";
import { ActionDialog } from "../../ui/action-dialog.tsx";
import { refusalWords } from "./ticket-texts.ts";

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

/** Acts on a ticket as it is shown, and reloads it afterwards. */
export function useActing(ticket: OpenedTicket, refresh: (acted?: boolean) => Promise<void>) {
  const [send] = useState(() => commandsAsSeen(newIdempotencyKey));
  const [busy, setBusy] = useState(false);
  const act: Act = async (body, post) => {
    const params = { ticketNumber: ticket.ticketNumber };
    setBusy(true);
    try {
      await send(body, ticket.revision, (sent, options) => post({ params, body: sent }, options));
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

interface PressProps {
  readonly words: string;
  readonly busy: boolean;
  readonly primary?: boolean;
  readonly onPress: () => void;
}

export function Press({ words, busy, primary = false, onPress }: PressProps) {
  return (
    <BusyButton
      type="button"
      className={`button button-dense ${primary ? "button-primary" : "button-outlined"}`}
      busy={busy}
      onClick={onPress}
    >
      {words}
    </BusyButton>
  );
}

/** Error message, announced by screen readers. */
export function Refusal({ words, id }: { words: string | null; id?: string }) {
  if (words === null) return null;
  return (
    <p id={id} role="alert" className="mt-2 border-l-3 border-danger pl-3 text-14 font-[500] text-danger">
      {words}
    </p>
  );
}

interface CloseDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Tells by itself what came of it. */
  readonly onConfirm: () => Promise<void>;
  /** True when closing also sends a reply. */
  readonly withReply?: boolean;
}

/** Confirms closing, which starts the retention period. */
export function CloseDialog({ open, onClose, onConfirm, withReply = false }: CloseDialogProps) {
  const days = useConfig().data?.contactRetentionDays;
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={withReply ? "Send the reply and close?" : "Close this ticket?"}
      whatHappens={
        <>
          {withReply
            ? "We email the customer about your reply. "
            : "The customer is not notified. To answer them, use “Send and close”. "}
          If they write again, the ticket reopens automatically. Otherwise the whole conversation is destroyed
          {days === undefined ? " at the end of its retention period" : ` ${days} days after closing`}, or
          together with the contact data of its order.
        </>
      }
      confirmLabel={withReply ? "Send and close" : "Close ticket"}
      reasons={null}
      withNote={false}
      done={null}
      onConfirm={onConfirm}
    />
  );
}
