import { type ReactNode, useState } from "react";
import {
  acknowledgeTicket,
  assignTicket,
  categoriseTicket,
  changeTicketStatus,
  type OpenedTicket,
} from "../../../../contract/tickets/ticket.ts";
import {
  categoryInShort,
  type TicketCategory,
  ticketCategories,
} from "../../../../domain/ticket/vocabulary.ts";
import { send } from "../../../api/send.ts";
import { useIdentity } from "../../../identity/page-identity.ts";
import { longDay } from "../../../ui/dates.ts";
import { announce } from "../../ui/announcements.tsx";
import { Panel } from "../../ui/page-parts.tsx";
import { clockReason, TicketClock, TicketStatus } from "../../ui/ticket-clock.tsx";
import { Person, When } from "../../ui/values.tsx";
import { type Act, CloseDialog, Press, Refusal } from "./acting.tsx";
import { Facts } from "./side-panels.tsx";

interface StatePanelProps {
  readonly ticket: OpenedTicket;
  readonly act: Act;
  readonly busy: boolean;
}

const mailStopWords = {
  unreachable:
    "Our emails are being returned, so we send none. If the address is right, use ‘Replace private link…’ to start again.",
  unwanted:
    "An email was reported as spam. We now send only emails that the customer asks for or the law requires.",
} as const;

const categoryWords: Readonly<Record<string, string>> = categoryInShort;

/** Status, assignee, category and statutory deadline, with controls for all but the last, which follows from them. */
export function StatePanel({ ticket, act, busy }: StatePanelProps) {
  const [refused, setRefused] = useState<string | null>(null);
  const [closing, setClosing] = useState(false);
  const doing = async (work: Promise<string | null>): Promise<string | null> => {
    const refusal = await work;
    setRefused(refusal);
    return refusal;
  };
  const turn = (status: "Open" | "Waiting" | "Closed") =>
    doing(act({ status }, (request, options) => send(changeTicketStatus, request, options)));
  const categorise = (category: TicketCategory) =>
    void doing(act({ category }, (request, options) => send(categoriseTicket, request, options)));
  const assign = (assignee: string | null) =>
    void doing(act({ assignee }, (request, options) => send(assignTicket, request, options)));
  return (
    <Panel title="State">
      <Facts facts={factsOf(ticket)} />
      {ticket.purge === null && (
        <>
          <div className="mt-3 flex flex-wrap gap-2">
            <AssigneeControls ticket={ticket} busy={busy} onAssign={assign} />
            <CategoryChoice ticket={ticket} busy={busy} onChoose={categorise} />
            {ticket.status !== "Open" && (
              <Press words="Reopen" busy={busy} onPress={() => void turn("Open")} />
            )}
            {ticket.status === "Open" && (
              <Press words="Wait for customer" busy={busy} onPress={() => void turn("Waiting")} />
            )}
            {ticket.status !== "Closed" && (
              <Press words="Close…" busy={busy} onPress={() => setClosing(true)} />
            )}
          </div>
          <Refusal words={refused} />
          <CloseDialog
            open={closing}
            onClose={() => setClosing(false)}
            onConfirm={async () => {
              if ((await turn("Closed")) === null) announce("Closed.");
            }}
          />
        </>
      )}
    </Panel>
  );
}

function factsOf(ticket: OpenedTicket): readonly (readonly [string, ReactNode])[] {
  const { status, since, category, openedAt, assignee, clock, mailStop, today, people } = ticket;
  return [
    ["Status", <TicketStatus key="status" status={status} />],
    ["Since", <When key="since" at={since} />],
    ["About", categoryWords[category] ?? category],
    ["Opened", <When key="opened" at={openedAt} />],
    ["Assigned to", assignee === null ? "no one" : <Person key="with" userId={assignee} people={people} />],
    ...(mailStop === null ? [] : [["Emails", mailStopWords[mailStop]] as const]),
    ...(clock === null
      ? []
      : [
          [
            "Statutory deadline",
            <span key="law">
              <TicketClock clock={clock} today={today} />
              <span className="mt-0.5 block text-13 text-muted">
                {clockReason[clock.rule]} Deadline: {longDay(clock.dueOn)}.
              </span>
            </span>,
          ] as const,
        ]),
  ];
}

interface AssigneeControlsProps {
  readonly ticket: OpenedTicket;
  readonly busy: boolean;
  readonly onAssign: (assignee: string | null) => void;
}

function AssigneeControls({
  ticket: { assignee, assignable, people },
  busy,
  onAssign,
}: AssigneeControlsProps) {
  const { userId } = useIdentity();
  const others = assignable.filter((id) => id !== userId && id !== assignee);
  return (
    <>
      {assignee !== userId && userId !== null && (
        <Press primary words="Assign to me" busy={busy} onPress={() => onAssign(userId)} />
      )}
      {assignee !== null && (
        <Press
          words={assignee === userId ? "Unassign me" : "Unassign"}
          busy={busy}
          onPress={() => onAssign(null)}
        />
      )}
      {others.length > 0 && (
        <select
          aria-label="Assign to"
          className="dense-box"
          value=""
          onChange={({ target }) => !busy && target.value !== "" && onAssign(target.value)}
        >
          <option value="">Assign to…</option>
          {others.map((id) => (
            <option key={id} value={id}>
              {people[id] ?? id}
            </option>
          ))}
        </select>
      )}
    </>
  );
}

interface CategoryChoiceProps {
  readonly ticket: OpenedTicket;
  readonly busy: boolean;
  readonly onChoose: (category: TicketCategory) => void;
}

/** Emails come without a category; the statutory deadline depends on it. */
function CategoryChoice({ ticket, busy, onChoose }: CategoryChoiceProps) {
  const others = ticketCategories.filter(({ id }) => id !== ticket.category);
  return (
    <select
      aria-label="File under"
      className="dense-box"
      value=""
      onChange={({ target }) => {
        const chosen = others.find(({ id }) => id === target.value);
        if (chosen && !busy) onChoose(chosen.id);
      }}
    >
      <option value="">File under…</option>
      {others.map(({ id }) => (
        <option key={id} value={id}>
          {categoryInShort[id]}
        </option>
      ))}
    </select>
  );
}

interface AcknowledgeProps {
  readonly ticket: OpenedTicket;
  readonly act: Act;
  readonly busy: boolean;
}

/** Shown when no email acknowledges a complaint: the legal duty remains. */
export function Acknowledge({ ticket, act, busy }: AcknowledgeProps) {
  const [refused, setRefused] = useState<string | null>(null);
  const { needed, by, state } = ticket.acknowledgement;
  if (!needed || by === null) return null;
  const record = async (channel: "post" | "telephone"): Promise<void> =>
    setRefused(await act({ channel }, (request, options) => send(acknowledgeTicket, request, options)));
  return (
    <section aria-label="Acknowledgement" className="mb-4 border-l-3 border-danger pl-4">
      <p>
        <strong className="font-[600]">
          {state === "undeliverable"
            ? "The email acknowledging this complaint could not be delivered."
            : "No email acknowledges this complaint."}
        </strong>{" "}
        Acknowledge it by letter or telephone by {longDay(by)}, then record it here.
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Press words="Acknowledged by letter" busy={busy} onPress={() => void record("post")} />
        <Press words="Acknowledged by phone" busy={busy} onPress={() => void record("telephone")} />
      </div>
      <Refusal words={refused} />
    </section>
  );
}
