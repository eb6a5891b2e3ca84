import { useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import type { TicketLink } from "../../../contract/tickets/conversation.ts";

/** A private link as a path of this app; the key stays in the fragment, which no server sees. */
export function pathOf(link: string): string {
  const { pathname, hash } = new URL(link);
  return `${pathname}${hash}`;
}

/** Replaces the form once the ticket is open: its number, and a link to the conversation. */
export function TicketOpened({ ticket }: { ticket: TicketLink }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="card mt-6 rounded-4 border border-hairline bg-surface p-6">
      <h3 ref={heading} tabIndex={-1} className="text-22">
        We have received your message
      </h3>
      <p className="mt-3 text-muted">Your ticket number</p>
      <p className="figures text-22">{ticket.ticketNumber}</p>
      <p className="mt-4">
        We have emailed it to you with a private link to the conversation. Our reply will be there too.
      </p>
      <Link className="button button-outlined mt-5" to={pathOf(ticket.link)}>
        Open the conversation
      </Link>
      <p className="mt-4 text-14 text-muted">
        Anyone with the link can read the conversation and reply to it, so please keep it private.
      </p>
    </div>
  );
}
