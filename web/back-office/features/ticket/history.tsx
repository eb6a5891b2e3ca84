import type { OpenedTicket, TicketHistoryEntry } from "../../api/open-ticket.ts";
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
export function History({ history }: Pick<OpenedTicket, "history">) {
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
                <When at={entry.at} /> · <By entry={entry} />
              </span>
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function By({ entry: { actor } }: { entry: TicketHistoryEntry }) {
  if (actor.kind === "staff" && actor.id !== null) return <Person userId={actor.id} />;
  return <>{actor.kind === "customer" ? "customer" : "by itself"}</>;
}
