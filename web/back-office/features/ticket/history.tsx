import type { OpenedTicket, TicketHistoryEntry } from "../../../../contract/tickets/ticket.ts";
import { Panel } from "../../ui/panel.tsx";
import { Person } from "../../ui/person.tsx";
import { When } from "../../ui/when.tsx";

const marks: Readonly<Record<TicketHistoryEntry["kind"], string>> = {
  customer: "bg-processing",
  staff: "bg-primary",
  mail: "bg-pending",
  privacy: "bg-fulfilled",
};

/** Who did what, newest first; without a word of what was written. */
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
  return <>{actor.kind === "customer" ? "customer" : "by itself"}</>;
}
