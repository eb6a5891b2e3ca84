import { Lock } from "lucide-react";
import type { ConversationEntry, OpenedTicket } from "../../../../contract/tickets/ticket.ts";
import { useTradingName } from "../../../site/config.ts";
import { Person } from "../../ui/person.tsx";
import { When } from "../../ui/when.tsx";

interface ConversationProps {
  readonly ticket: OpenedTicket;
  /** What came while the page was open. */
  readonly fresh: ReadonlySet<string>;
}

/**
 * All that was written, oldest first. Messages stand on the customer's or on our side; a note between them has a dashed frame, a lock and
 * a heading of its own, so that nobody takes one for the other in any colour or none.
 */
export function Conversation({ ticket, fresh }: ConversationProps) {
  return (
    <ol className="flex flex-col gap-3" aria-label="Conversation">
      {ticket.conversation.map((entry) => (
        <li key={entry.id} className={placeOf(entry)}>
          {entry.kind === "note" ? (
            <Note entry={entry} people={ticket.people} isFresh={fresh.has(entry.id)} />
          ) : (
            <Message
              entry={entry}
              people={ticket.people}
              name={ticket.contact?.name ?? null}
              isFresh={fresh.has(entry.id)}
            />
          )}
        </li>
      ))}
    </ol>
  );
}

const placeOf = ({ kind, author }: ConversationEntry): string => {
  if (kind === "note") return "md:mx-6";
  return author === "staff" ? "md:ml-12" : "md:mr-12";
};

interface EntryProps {
  readonly entry: ConversationEntry;
  readonly people: OpenedTicket["people"];
  readonly isFresh: boolean;
}

function Message({ entry, people, name, isFresh }: EntryProps & { readonly name: string | null }) {
  const ours = entry.author === "staff";
  return (
    <article
      className={`rounded-4 border px-4 py-3 ${ours ? "border-primary/35 bg-tint" : "border-hairline bg-surface"}`}
    >
      <header className="flex flex-wrap items-baseline gap-x-2 text-13 text-muted">
        <strong className="font-[600] text-ink wrap-anywhere">{ours ? <Us /> : (name ?? "Customer")}</strong>
        {ours ? (
          <span>
            sent to the customer by {entry.staffId && <Person userId={entry.staffId} people={people} />}
          </span>
        ) : (
          name !== null && <span>customer</span>
        )}
        {isFresh && <New />}
        <span className="ml-auto">
          <When at={entry.at} />
        </span>
      </header>
      <Text text={entry.text} />
    </article>
  );
}

const Us = () => <>{useTradingName()}</>;

function Note({ entry, people, isFresh }: EntryProps) {
  return (
    <article className="rounded-4 border border-dashed border-field bg-paper px-4 py-3">
      <header className="flex flex-wrap items-baseline gap-x-2 text-13 text-muted">
        <strong className="inline-flex items-baseline gap-1.5 font-[600] text-ink">
          <Lock aria-hidden="true" className="size-3.5 self-center" strokeWidth={1.75} />
          Internal note
        </strong>
        <span>
          never shown to the customer · by{" "}
          {entry.staffId && <Person userId={entry.staffId} people={people} />}
        </span>
        {isFresh && <New />}
        <span className="ml-auto">
          <When at={entry.at} />
        </span>
      </header>
      <Text text={entry.text} />
    </article>
  );
}

const New = () => (
  <span className="rounded-4 bg-processing-ground px-1.5 font-[600] text-processing">New</span>
);

function Text({ text }: { text: string | null }) {
  if (text === null) return <p className="mt-1.5 text-muted italic">destroyed</p>;
  return <p className="mt-1.5 max-w-[76ch] whitespace-pre-wrap wrap-anywhere">{text}</p>;
}
