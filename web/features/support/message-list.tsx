import type { TicketView } from "../../../contract/tickets/conversation.ts";
import { useTradingName } from "../../site/config.ts";
import { londonMoment } from "../../ui/dates.ts";

/** What was said, oldest first; ours stands out by its ground, and by its name for who cannot see that. */
export function MessageList({ messages }: { messages: TicketView["messages"] }) {
  const name = useTradingName();
  return (
    <ol className="space-y-4" aria-label="Messages">
      {messages.map(({ id, author, text, timestamp }) => (
        <li
          key={id}
          className={`keep-together rounded-4 border border-hairline px-5 py-4 ${author === "staff" ? "bg-tint" : "bg-surface"}`}
        >
          <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-14 text-muted">
            <strong className="font-[600] text-ink">{author === "staff" ? name : "You"}</strong>
            <time dateTime={timestamp}>{londonMoment(timestamp)}</time>
          </p>
          <p className="mt-2 max-w-measure whitespace-pre-wrap">{text}</p>
        </li>
      ))}
    </ol>
  );
}
