import { useParams } from "react-router-dom";
import type { OpenedTicket } from "../../../../contract/tickets/ticket.ts";
import { PageTop } from "../../layout/page-top.tsx";
import { adminPages } from "../../paths.ts";
import { Empty, NotLoaded, Skeleton } from "../../ui/placeholders.tsx";
import { TicketClock, TicketStatus } from "../../ui/ticket-clock.tsx";
import { Compose } from "./compose.tsx";
import { ContactPanel, Receipt } from "./contact-panel.tsx";
import { Conversation, History } from "./conversation.tsx";
import { OrderPanel } from "./order-panel.tsx";
import { Acknowledge, StatePanel } from "./state-panel.tsx";
import { useActing } from "./use-acting.ts";
import { useTicket } from "./use-ticket.ts";

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
