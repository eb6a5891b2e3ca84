import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import type {
  ConversationEntry,
  OpenedTicket,
  TicketHistoryEntry,
} from "../../../../contract/tickets/ticket.ts";
import { useTradingName } from "../../../site/config.ts";
import { Panel } from "../../ui/page-parts.tsx";
import { Person, When } from "../../ui/values.tsx";
import { Arrival, Files, Original } from "./email-parts.tsx";

interface ConversationProps {
  readonly ticket: OpenedTicket;
  /** Entries that arrived while the page was open. */
  readonly fresh: ReadonlySet<string>;
}

/**
 * Messages and notes, oldest first. A note has a dashed frame, a lock and a heading, to distinguish it from a message
 * without relying on colour.
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
              ticket={ticket}
              entry={entry}
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

interface NoteProps {
  readonly entry: Extract<ConversationEntry, { kind: "note" }>;
  readonly people: OpenedTicket["people"];
  readonly isFresh: boolean;
}

interface MessageProps {
  readonly ticket: OpenedTicket;
  readonly entry: Extract<ConversationEntry, { kind: "message" }>;
  readonly name: string | null;
  readonly isFresh: boolean;
}

function Message({ ticket, entry, name, isFresh }: MessageProps) {
  const { people } = ticket;
  const byStaff = entry.author === "staff";
  return (
    <article
      className={`rounded-4 border px-4 py-3 ${byStaff ? "border-primary/35 bg-tint" : "border-hairline bg-surface"}`}
    >
      <header className="flex flex-wrap items-baseline gap-x-2 text-13 text-muted">
        <strong className="font-[600] text-ink wrap-anywhere">
          {byStaff ? <Us /> : (name ?? "Customer")}
        </strong>
        {byStaff ? (
          <span>
            sent to the customer by {entry.staffId && <Person userId={entry.staffId} people={people} />}
          </span>
        ) : (
          <span>
            {name !== null && "customer"}
            {entry.email && " by email"}
          </span>
        )}
        {isFresh && <New />}
        <span className="ml-auto">
          <When at={entry.at} />
        </span>
      </header>
      {entry.email && <Arrival email={entry.email} />}
      {entry.automatic ? (
        <Folded words="Automatic reply">
          <Text text={entry.text} />
        </Folded>
      ) : (
        <Text text={entry.text} />
      )}
      {entry.quoted !== "" && (
        <Folded words="Quoted text">
          <Text text={entry.quoted} />
        </Folded>
      )}
      <Files ticket={ticket} message={entry} />
      <Original ticket={ticket} message={entry} />
    </article>
  );
}

function Folded({ words, children }: { readonly words: string; readonly children: ReactNode }) {
  return (
    <details className="mt-1.5">
      <summary className="cursor-pointer text-13 text-muted">{words}</summary>
      {children}
    </details>
  );
}

const Us = () => <>{useTradingName()}</>;

function Note({ entry, people, isFresh }: NoteProps) {
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

const marks: Readonly<Record<TicketHistoryEntry["kind"], string>> = {
  customer: "bg-processing",
  staff: "bg-primary",
  mail: "bg-pending",
  privacy: "bg-fulfilled",
};

/** Ticket events, newest first, without message texts. */
export function History({ history, people }: Pick<OpenedTicket, "history" | "people">) {
  return (
    <Panel title="History">
      <ol className="flex flex-col gap-2.5 text-13">
        {history.map((entry) => (
          <li key={entry.id} className="flex gap-2.5">
            <span
              aria-hidden="true"
              className={`mt-[0.4em] size-2 flex-none rounded-[2px] ${marks[entry.kind]}`}
            />
            <span>
              {entry.text}
              <span className="block text-muted">
                <When at={entry.at} /> · <By entry={entry} people={people} />
              </span>
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

interface ByProps {
  readonly entry: TicketHistoryEntry;
  readonly people: OpenedTicket["people"];
}

function By({ entry: { actor }, people }: ByProps) {
  if (actor.kind === "staff" && actor.id !== null) return <Person userId={actor.id} people={people} />;
  return <>{actor.kind === "customer" ? "customer" : "automatic"}</>;
}
