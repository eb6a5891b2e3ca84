import { useRef, useState } from "react";
import type { TicketCredentials, TicketView } from "../../../contract/tickets/conversation.ts";
import { replyAnswer, replyInTicket } from "../../../contract/tickets/conversation.ts";
import { keyPerBody, newIdempotencyKey } from "../../api/idempotency-key.ts";
import { send } from "../../api/send.ts";
import { ErrorSummary } from "../../ui/fields/error-summary.tsx";
import { TextAreaField } from "../../ui/fields/text-area-field.tsx";
import { SendButton } from "./form-actions.tsx";
import { useSupportForm } from "./use-support-form.ts";

interface ReplyFormProps {
  access: TicketCredentials;
  closed: boolean;
  onReplied: (ticket: TicketView) => void;
}

const notSent = "Your reply was not sent. What you wrote is still here: please try again.";

/** Messages by refusing rule. */
const refusals = new Map<string | null, string>([
  ["ticket-purged", "This conversation has been deleted. Please open a new ticket on the Support page."],
  [
    "answer-pending",
    "You have sent us many messages since our last reply. What you wrote is still here: please send it once we have replied.",
  ],
  [
    "too-many-messages",
    "This conversation has reached its maximum length. Please open a new ticket on the Support page.",
  ],
]);

export function ReplyForm({ access, closed, onReplied }: ReplyFormProps) {
  const newKeys = () => keyPerBody(newIdempotencyKey);
  const keyOf = useRef(newKeys());
  const [sent, setSent] = useState(false);
  const form = useSupportForm({
    name: "reply",
    schema: replyAnswer,
    defaults: { message: "" },
    fields: ["message"],
    send: async ({ message }) => {
      const idempotencyKey = keyOf.current(message);
      onReplied(await send(replyInTicket, { body: { ...access, message } }, { idempotencyKey }));
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
      <div className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-2">
        <SendButton words="Send reply" busy={form.busy} />
        <span role="status">
          {sent && !form.busy && form.errors.length === 0 ? "We have received your reply." : ""}
        </span>
      </div>
    </form>
  );
}
