import { useState } from "react";
import { Link } from "react-router-dom";
import type { TicketCredentials, TicketView } from "../../../contract/tickets/conversation.ts";
import { viewTicket } from "../../../contract/tickets/conversation.ts";
import type { BadgeColour } from "../../../domain/order/status.ts";
import { ticketCategories } from "../../../domain/ticket/categories.ts";
import { send } from "../../api/send.ts";
import { trackingOf } from "../../paths.ts";
import { londonDay, londonMoment } from "../../ui/dates.ts";
import { PageHeading } from "../../ui/page-heading.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { MessageList } from "./message-list.tsx";
import { NewLink } from "./new-link.tsx";
import { ReplyForm } from "./reply-form.tsx";

interface ConversationViewProps {
  access: TicketCredentials;
  ticket: TicketView;
  onChange: (access: TicketCredentials, ticket: TicketView) => void;
  onLeave: () => void;
}

/** Each status in the customer's words, in the colour of an order's that means as much. */
const statuses: Readonly<Record<string, { words: string; colour: BadgeColour }>> = {
  Open: { words: "We will reply", colour: "blue" },
  Waiting: { words: "Waiting for you", colour: "yellow" },
  Closed: { words: "Closed", colour: "green" },
};

/** A conversation: what it is about, what was said, and the reply. */
export function ConversationView({ access, ticket, onChange, onLeave }: ConversationViewProps) {
  const { words, colour } = statuses[ticket.status] ?? { words: ticket.status, colour: "grey" };
  const title = ticket.subject ?? "Your conversation with us";
  return (
    <div className="page-width py-12 md:py-16">
      <p className="text-muted">Ticket</p>
      <p className="figures text-22">{ticket.ticketNumber}</p>
      <PageHeading title={`Ticket ${ticket.ticketNumber}`} className="mt-3 max-w-measure">
        {title}
      </PageHeading>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <StatusBadge status={ticket.status} words={words} colour={colour} />
        <span className="text-muted">
          {categoryWords(ticket.category)} · opened on {londonDay(ticket.createdAt)}
        </span>
        {ticket.orderNumber && (
          <Link className="link figures" to={trackingOf(ticket.orderNumber)}>
            {ticket.orderNumber}
          </Link>
        )}
      </div>
      <div className="mt-8 max-w-form">
        {ticket.deletedAt === null ? (
          <Exchange access={access} ticket={ticket} onChange={onChange} />
        ) : (
          <p>
            The messages in this conversation were deleted on {londonMoment(ticket.deletedAt)}, at the end of
            the time we keep closed conversations.
          </p>
        )}
        <button type="button" className="link no-print mt-8 min-h-11 cursor-pointer" onClick={onLeave}>
          Leave this conversation
        </button>
      </div>
    </div>
  );
}

const categoryWords = (id: string): string =>
  ticketCategories.find((category) => category.id === id)?.label ?? "Something else";

function Exchange({ access, ticket, onChange }: Omit<ConversationViewProps, "onLeave">) {
  return (
    <>
      <MessageList messages={ticket.messages} />
      <CheckAgain access={access} onChange={onChange} />
      <ReplyForm
        access={access}
        closed={ticket.status === "Closed"}
        onReplied={(replied) => onChange(access, replied)}
      />
      <NewLink access={access} onReplaced={(fresh) => onChange(fresh, ticket)} />
    </>
  );
}

/** Asks for our answer again, without a reload. */
function CheckAgain({ access, onChange }: Pick<ConversationViewProps, "access" | "onChange">) {
  const [said, setSaid] = useState("");
  const check = async (): Promise<void> => {
    setSaid("Checking...");
    try {
      onChange(access, await send(viewTicket, { body: access }));
      setSaid("There are no new messages.");
    } catch {
      // The call has been reported where calls are; the customer can press again.
      setSaid("Something went wrong. Please try again.");
    }
  };
  return (
    <p className="no-print mt-4 flex flex-wrap items-center gap-x-4 gap-y-1">
      <button type="button" className="link min-h-11 cursor-pointer" onClick={() => void check()}>
        Check for a reply
      </button>
      <span role="status" className="text-14 text-muted">
        {said}
      </span>
    </p>
  );
}
