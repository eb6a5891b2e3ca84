import type { TicketCredentials } from "../../../contract/tickets/conversation.ts";
import { ticketCredentials } from "../../../contract/tickets/conversation.ts";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { SendButton } from "./form-actions.tsx";
import { useSupportForm } from "./use-support-form.ts";

interface FindConversationProps {
  notice: string | null;
  onFind: (access: TicketCredentials) => Promise<void>;
}

/** Ticket number and email address, for whoever has not the link at hand. */
export function FindConversation({ notice, onFind }: FindConversationProps) {
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
