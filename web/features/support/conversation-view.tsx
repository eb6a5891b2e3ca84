import { useRef, useState } from "react";
import { Link } from "react-router-dom";
import * as z from "zod/mini";
import {
  replaceTicketLink,
  replyAnswer,
  replyInTicket,
  type TicketCredentials,
  type TicketView,
  viewTicket,
} from "../../../contract/tickets/conversation.ts";
import type { BadgeColour } from "../../../domain/order/status.ts";
import { ticketCategories } from "../../../domain/ticket/vocabulary.ts";
import { refusalWords } from "../../api/problem.ts";
import { keyPerBody, newIdempotencyKey } from "../../api/request.ts";
import { send } from "../../api/send.ts";
import { keyIn } from "../../mailed-link.ts";
import { trackingOf } from "../../paths.ts";
import { londonDay, londonMoment } from "../../ui/dates.ts";
import { ErrorSummary } from "../../ui/fields/error-summary.tsx";
import { TextAreaField } from "../../ui/fields/field.tsx";
import { StatusBadge } from "../../ui/order-facts.tsx";
import { PageHeading } from "../../ui/page-heading.tsx";
import { chosenFiles, FilesField, identityOf, SendingFiles, withFiles } from "./files-field.tsx";
import { MailContent } from "./mail-content.tsx";
import { MessageList } from "./message-list.tsx";
import { pathOf, SendButton, useSupportForm } from "./support-form.tsx";

interface ConversationViewProps {
  access: TicketCredentials;
  ticket: TicketView;
  onChange: (access: TicketCredentials, ticket: TicketView) => void;
  onLeave: () => void;
}

/** Each status in the customer's words, in the colour of the corresponding order status. */
const statuses: Readonly<Record<string, { words: string; colour: BadgeColour }>> = {
  Open: { words: "We will reply", colour: "blue" },
  Waiting: { words: "Waiting for you", colour: "yellow" },
  Closed: { words: "Closed", colour: "green" },
};

/** A conversation: what it is about, what was said, and the reply. */
export function ConversationView({ access, ticket, onChange, onLeave }: ConversationViewProps) {
  const { words, colour } = statuses[ticket.status] ?? { words: ticket.status, colour: "grey" };
  return (
    <div className="page-width py-12 md:py-16">
      <p className="text-muted">Ticket</p>
      <p className="figures text-22">{ticket.ticketNumber}</p>
      <PageHeading title={`Ticket ${ticket.ticketNumber}`} className="mt-3 max-w-measure">
        {ticket.subject === null ? "Your conversation with us" : <span translate="no">{ticket.subject}</span>}
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
            This conversation was deleted on {londonMoment(ticket.deletedAt)}. Its messages and files can no
            longer be read.
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
      <MessageList access={access} messages={ticket.messages} />
      <CheckAgain access={access} ticket={ticket} onChange={onChange} />
      <ReplyForm
        access={access}
        closed={ticket.status === "Closed"}
        onReplied={(replied) => onChange(access, replied)}
      />
      <MailContent access={access} ticket={ticket} onChosen={(chosen) => onChange(access, chosen)} />
      <NewLink access={access} onReplaced={(fresh) => onChange(fresh, ticket)} />
    </>
  );
}

/** Asks for our answer again, without a reload. */
function CheckAgain({ access, ticket, onChange }: Omit<ConversationViewProps, "onLeave">) {
  const [said, setSaid] = useState("");
  const check = async (): Promise<void> => {
    setSaid("Checking...");
    try {
      const checked = await send(viewTicket, { body: access });
      onChange(access, checked);
      setSaid(newMessages(checked.messages.length - ticket.messages.length));
    } catch {
      // The request helper has logged it; the customer can retry.
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

function newMessages(count: number): string {
  if (count <= 0) return "There are no new messages.";
  return count === 1 ? "There is a new message." : `There are ${count} new messages.`;
}

interface NewLinkProps {
  access: TicketCredentials;
  onReplaced: (access: TicketCredentials) => void;
}

/** For a private link that has leaked. */
function NewLink({ access, onReplaced }: NewLinkProps) {
  const [state, setState] = useState<{ said: string; path?: string }>({ said: "" });
  const replace = async (): Promise<void> => {
    setState({ said: "One moment..." });
    try {
      const { link } = await send(replaceTicketLink, { body: access });
      const path = pathOf(link);
      const key = keyIn(new URL(link))?.key;
      if ("key" in access && key) onReplaced({ key });
      setState({ said: "The old link no longer works. We have emailed you the new one.", path });
    } catch (failure) {
      setState({ said: refusalWords(failure).join(" ") });
    }
  };
  return (
    <details className="question no-print mt-8 border-t border-hairline">
      <summary className="cursor-pointer py-3">Does someone else have the link to this conversation?</summary>
      <p className="pl-6 text-muted">You can replace it. The link in our earlier emails will stop working.</p>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 py-4 pl-6">
        <button type="button" className="button button-small button-outlined" onClick={() => void replace()}>
          Replace the link
        </button>
        <span role="status">{state.said}</span>
        {state.path && (
          <Link className="link" to={state.path}>
            Open the new link
          </Link>
        )}
      </div>
    </details>
  );
}

interface ReplyFormProps {
  access: TicketCredentials;
  closed: boolean;
  onReplied: (ticket: TicketView) => void;
}

const notSent = "Your reply was not sent. What you wrote is still here: please try again.";

/** Messages by refusing rule. */
const refusals = new Map<string | null, string>([
  ["ticket-purged", "This conversation has been deleted. Please write to us again on the Support page."],
  [
    "answer-pending",
    "You have sent us many messages since our last reply. What you wrote is still here: please send it once we have replied.",
  ],
  [
    "too-many-messages",
    "This conversation has reached its maximum length. Please write to us again on the Support page.",
  ],
]);

function ReplyForm({ access, closed, onReplied }: ReplyFormProps) {
  const newKeys = () => keyPerBody(newIdempotencyKey);
  const keyOf = useRef(newKeys());
  const [sent, setSent] = useState(false);
  const [share, setShare] = useState<number | null>(null);
  const form = useSupportForm({
    name: "reply",
    schema: z.extend(replyAnswer, { attachments: chosenFiles }),
    defaults: { message: "", attachments: [] },
    fields: ["message", "attachments"],
    send: async ({ message, attachments: files }) => {
      const idempotencyKey = keyOf.current([message, identityOf(files)]);
      const body = { ...access, message, ...(await withFiles(files)) };
      const options = { idempotencyKey, ...(files.length > 0 && { onSent: setShare }) };
      onReplied(await send(replyInTicket, { body }, options).finally(() => setShare(null)));
      // The same text sent again later is a separate reply.
      keyOf.current = newKeys();
      form.reset();
      setSent(true);
    },
    sayRefused: ({ rule }) => refusals.get(rule) ?? notSent,
  });
  const { id, input, error } = form.field("message");
  return (
    <form noValidate onSubmit={form.submit} className="no-print mt-8">
      <ErrorSummary errors={form.errors} attempt={form.attempt} />
      <TextAreaField
        {...input}
        id={id}
        label="Your reply"
        hint={closed ? "This conversation is closed. Replying reopens it." : undefined}
        error={error}
        maxLength={5000}
      />
      <div className="mt-6">
        <FilesField {...form.chosen("attachments")} />
      </div>
      <SendingFiles files={form.chosen("attachments").value} share={share} />
      <div className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-2">
        <SendButton words="Send reply" busy={form.busy} />
        <span role="status">
          {sent && !form.busy && form.errors.length === 0 ? "We have received your reply." : ""}
        </span>
      </div>
    </form>
  );
}
