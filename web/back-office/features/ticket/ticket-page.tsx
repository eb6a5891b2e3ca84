import { useCallback, useEffect, useRef, useState } from "react";
import { useParams } from "react-router-dom";
import { type OpenedTicket, openTicketAsStaff } from "../../../../contract/tickets/ticket.ts";
import { ApiError } from "../../../api/problem.ts";
import { send } from "../../../api/send.ts";
import { useIdentity } from "../../../identity/page-identity.ts";
import { adminPages } from "../../paths.ts";
import { Empty, NotLoaded, PageTop, Skeleton } from "../../ui/page-parts.tsx";
import { TicketClock, TicketStatus } from "../../ui/ticket-clock.tsx";
import { useUpdates } from "../../use-updates.ts";
import { useActing } from "./acting.tsx";
import { Compose } from "./compose.tsx";
import { Conversation, History } from "./conversation.tsx";
import { ContactPanel, OrderPanel, Receipt } from "./side-panels.tsx";
import { Acknowledge, StatePanel } from "./state-panel.tsx";

/** Conversation and reply, with the state of the ticket and its order. Opening the page is logged as access. */
export default function TicketPage() {
  const { ticketNumber = "" } = useParams();
  // Remount for another ticket: nothing typed may carry over.
  return <Ticket key={ticketNumber} ticketNumber={ticketNumber} />;
}

const inbox = { to: adminPages.tickets, words: "Tickets" } as const;

function Ticket({ ticketNumber }: { ticketNumber: string }) {
  const { shown, refresh } = useTicket(ticketNumber);
  if (shown.at === "open") return <Opened ticket={shown.ticket} fresh={shown.fresh} refresh={refresh} />;
  return (
    <>
      <PageTop title="Ticket" from={inbox} heading={<span className="figures">{ticketNumber}</span>} />
      {shown.at === "loading" && <Skeleton lines={8} label="Loading the ticket" />}
      {shown.at === "missing" && (
        <Empty title="There is no ticket with this number.">
          Check the ticket number, or choose the ticket from the list.
        </Empty>
      )}
      {shown.at === "failed" && (
        <NotLoaded what="The ticket" failure={shown.failure} onRetry={() => void refresh()} />
      )}
    </>
  );
}

interface OpenedProps {
  readonly ticket: OpenedTicket;
  readonly fresh: ReadonlySet<string>;
  readonly refresh: (acted?: boolean) => Promise<void>;
}

function Opened({ ticket, fresh, refresh }: OpenedProps) {
  const { act, busy } = useActing(ticket, refresh);
  const acting = { ticket, act, busy };
  const arrived = fresh.size;
  return (
    <>
      <PageTop
        title={`Ticket ${ticket.ticketNumber}`}
        from={inbox}
        heading={<span className="figures">{ticket.ticketNumber}</span>}
      >
        <TicketStatus status={ticket.status} />
        {ticket.clock !== null && <TicketClock clock={ticket.clock} today={ticket.today} />}
      </PageTop>
      <p role="status" className="sr-only">
        {arrived === 0 ? "" : `${arrived} new in this conversation`}
      </p>
      <div className="gap-10 lg:grid lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="min-w-0">
          <Acknowledge {...acting} />
          <h2 className="mb-3 font-text wrap-anywhere">
            {ticket.subject ?? <span className="text-muted italic">Subject destroyed</span>}
          </h2>
          <Conversation ticket={ticket} fresh={fresh} />
          {ticket.purge === null ? (
            <Compose {...acting} />
          ) : (
            <div className="mt-6">
              <Receipt receipt={ticket.purge} />
            </div>
          )}
        </div>
        <div className="flex flex-col gap-6 max-lg:mt-8">
          <StatePanel {...acting} />
          <ContactPanel {...acting} />
          <OrderPanel {...acting} />
          <History history={ticket.history} people={ticket.people} />
        </div>
      </div>
    </>
  );
}

/** Loading state of the ticket. `fresh`: entries by others since the page was opened or the user last acted. */
type TicketOnPage =
  | { readonly at: "loading" }
  | { readonly at: "missing" }
  | { readonly at: "failed"; readonly failure: unknown }
  | { readonly at: "open"; readonly ticket: OpenedTicket; readonly fresh: ReadonlySet<string> };

/**
 * The page's ticket, reloaded when it or its order changes, and kept in memory only. Opening it is logged as access, so
 * a hidden page reloads only once it is visible.
 */
function useTicket(ticketNumber: string) {
  const [shown, setShown] = useState<TicketOnPage>({ at: "loading" });
  const { userId } = useIdentity();
  const asked = useRef(0);
  const answered = useRef(0);

  const refresh = useCallback(
    async (acted = false): Promise<void> => {
      const ask = ++asked.current;
      /** Ignores answers that a newer one has overtaken. */
      const answer = (change: (before: TicketOnPage) => TicketOnPage): void => {
        if (ask < answered.current) return;
        answered.current = ask;
        setShown(change);
      };
      try {
        const ticket = await send(openTicketAsStaff, { params: { ticketNumber } });
        answer((before) => ({ at: "open", ticket, fresh: acted ? none : freshIn(before, ticket, userId) }));
      } catch (failure) {
        const isMissing = failure instanceof ApiError && failure.status === 404;
        const failed: TicketOnPage = isMissing ? { at: "missing" } : { at: "failed", failure };
        // Keep what is shown; the next change reloads it.
        answer((before) => (before.at === "open" ? before : failed));
      }
    },
    [ticketNumber, userId],
  );

  useEffect(() => {
    void refresh();
    return () => {
      // Ignore answers after unmounting.
      answered.current = asked.current + 1;
    };
  }, [refresh]);

  const refreshWhenVisible = useWhenVisible(() => void refresh());
  const ids = shown.at === "open" ? [shown.ticket.id, shown.ticket.order?.id] : [];
  useUpdates(["tickets", "orders"], ({ key }) => {
    if (key === null || ids.includes(key)) refreshWhenVisible();
  });
  return { shown, refresh };
}

/** Runs now if the page is visible, otherwise once it is. */
function useWhenVisible(run: () => unknown): () => void {
  const pending = useRef(false);
  useEffect(() => {
    const onChange = (): void => {
      if (document.visibilityState !== "visible" || !pending.current) return;
      pending.current = false;
      run();
    };
    document.addEventListener("visibilitychange", onChange);
    return () => document.removeEventListener("visibilitychange", onChange);
  }, [run]);
  return () => {
    if (document.visibilityState === "visible") run();
    else pending.current = true;
  };
}

const none: ReadonlySet<string> = new Set();

function freshIn(
  before: TicketOnPage,
  { conversation }: OpenedTicket,
  userId: string | null,
): ReadonlySet<string> {
  if (before.at !== "open") return none;
  const known = new Set(before.ticket.conversation.map(({ id }) => id));
  const arrived = conversation
    .filter(({ id, staffId }) => !known.has(id) && (staffId === null || staffId !== userId))
    .map(({ id }) => id);
  return new Set([...before.fresh, ...arrived]);
}
