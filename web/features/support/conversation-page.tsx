import { useCallback, useEffect, useState } from "react";
import {
  type TicketCredentials,
  type TicketView,
  ticketCredentials,
  viewTicket,
} from "../../../contract/tickets/conversation.ts";
import { ApiError } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { useKeyOfLink } from "../../mailed-link.ts";
import { ErrorSummary } from "../../ui/fields/error-summary.tsx";
import { TextField } from "../../ui/fields/field.tsx";
import { PageHeading } from "../../ui/page-heading.tsx";
import { ConversationView } from "./conversation-view.tsx";
import { SendButton, useSupportForm } from "./support-form.tsx";

/** /support/view: a conversation with us, by its private link or by ticket number and email address. */
export default function ConversationPage() {
  const { conversation, enter, leave, update } = useConversation();
  if (conversation.at === "open") {
    const { access, ticket } = conversation;
    return <ConversationView access={access} ticket={ticket} onChange={update} onLeave={leave} />;
  }
  return (
    <div className="page-width py-12 md:py-16">
      <PageHeading title="Your conversation with us">Your conversation with us</PageHeading>
      {conversation.at === "loading" ? (
        <p role="status" className="mt-6">
          <span className="spinner" aria-hidden="true" />
          <span className="sr-only">Loading the conversation</span>
        </p>
      ) : (
        <FindConversation notice={conversation.notice} onFind={enter} />
      )}
    </div>
  );
}

interface FindConversationProps {
  notice: string | null;
  onFind: (access: TicketCredentials) => Promise<void>;
}

/** Ticket number and email address, for customers without their link. */
function FindConversation({ notice, onFind }: FindConversationProps) {
  const form = useSupportForm({
    name: "find",
    schema: ticketCredentials,
    defaults: { ticketNumber: "", email: "" },
    fields: ["ticketNumber", "email"],
    send: onFind,
    sayRefused: ({ status }) =>
      status === 404
        ? "We cannot find a conversation with that ticket number and email address. Check that both are correct."
        : "We could not load the conversation. Please try again.",
  });
  const number = form.field("ticketNumber");
  const email = form.field("email");
  return (
    <form noValidate onSubmit={form.submit} className="mt-6 max-w-form">
      {notice && (
        <p role="status" className="mb-6 rounded-4 bg-pending-ground px-4 py-3 text-pending">
          {notice}
        </p>
      )}
      <ErrorSummary errors={form.errors} attempt={form.attempt} />
      <div className="space-y-6">
        <TextField
          {...number.input}
          id={number.id}
          label="Ticket number"
          hint="It’s in our emails and begins with T, such as T-7K3M-9QXT-2BWHD."
          error={number.error}
          autoComplete="off"
          spellCheck={false}
          figures
        />
        <TextField
          {...email.input}
          id={email.id}
          label="Email"
          hint="The address you gave when you wrote to us."
          error={email.error}
          type="email"
          autoComplete="email"
          inputMode="email"
          spellCheck={false}
        />
      </div>
      <div className="mt-7">
        <SendButton words="Open the conversation" busy={form.busy} />
      </div>
    </form>
  );
}

const storedKey = "ticket-key";

/** Shows the search form, or a conversation. `notice` says why a link did not open one. */
type Conversation =
  | { readonly at: "form"; readonly notice: string | null }
  | { readonly at: "loading" }
  | { readonly at: "open"; readonly access: TicketCredentials; readonly ticket: TicketView };

const notices = {
  wrongLink:
    "This link does not open a conversation. It may be incomplete or have been replaced by a newer one. You can use your ticket number and email address instead.",
  fault: "We could not load the conversation. Please reload the page, or try again with your ticket number.",
} as const;

/** The conversation of the private link, whose key is kept in the tab for a reload. */
function useConversation() {
  const hasKey = useKeyOfLink(({ key }) => sessionStorage.setItem(storedKey, key));
  const [conversation, setConversation] = useState<Conversation>({ at: "loading" });
  const enter = useCallback(async (access: TicketCredentials): Promise<void> => {
    const ticket = await send(viewTicket, { body: access });
    if ("key" in access) sessionStorage.setItem(storedKey, access.key);
    setConversation({ at: "open", access, ticket });
  }, []);

  useEffect(() => {
    if (hasKey) return;
    const key = sessionStorage.getItem(storedKey);
    if (!key) {
      setConversation((before) => (before.at === "loading" ? { at: "form", notice: null } : before));
      return;
    }
    enter({ key }).catch((failure: unknown) => {
      const wrong = failure instanceof ApiError && failure.status === 404;
      if (wrong) sessionStorage.removeItem(storedKey);
      setConversation({ at: "form", notice: wrong ? notices.wrongLink : notices.fault });
    });
  }, [hasKey, enter]);

  const leave = (): void => {
    sessionStorage.removeItem(storedKey);
    setConversation({ at: "form", notice: null });
  };
  const update = (access: TicketCredentials, ticket: TicketView): void => {
    if ("key" in access) sessionStorage.setItem(storedKey, access.key);
    setConversation({ at: "open", access, ticket });
  };
  return { conversation, enter, leave, update };
}
