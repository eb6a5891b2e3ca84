import { useCallback, useEffect, useRef, useState } from "react";
import type { OpenedTicket } from "../../../../contract/tickets/ticket.ts";
import { openTicketAsStaff } from "../../../../contract/tickets/ticket.ts";
import { ApiError } from "../../../api/problem.ts";
import { send } from "../../../api/send.ts";
import { useIdentity } from "../../../identity/identity.ts";
import { useUpdates } from "../../use-updates.ts";

/** What the page has of its ticket. `fresh` are the entries that others wrote while it was open, until one acts oneself. */
export type TicketOnPage =
  | { readonly at: "loading" }
  | { readonly at: "missing" }
  | { readonly at: "failed"; readonly failure: unknown }
  | { readonly at: "open"; readonly ticket: OpenedTicket; readonly fresh: ReadonlySet<string> };

/**
 * The ticket of the page, opened again when it changes. Kept in the page alone: what was written is gone from memory with it. Opening is
 * a look that is recorded, so nothing is opened while nobody looks: a page in the background catches up when it is seen again.
 */
export function useTicket(ticketNumber: string) {
  const [shown, setShown] = useState<TicketOnPage>({ at: "loading" });
  const { userId } = useIdentity();
  const asked = useRef(0);
  const answered = useRef(0);

  const refresh = useCallback(
    async (acted = false): Promise<void> => {
      const ask = ++asked.current;
      /** An answer that comes after that to a later question says what was, not what is. */
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
        // What is on the page stays there: it is better than nothing, and the next change asks again.
        answer((before) => (before.at === "open" ? before : failed));
      }
    },
    [ticketNumber, userId],
  );

  useEffect(() => {
    void refresh();
    return () => {
      // Whatever is still on its way is for a page that is gone.
      answered.current = asked.current + 1;
    };
  }, [refresh]);

  const refreshWhenSeen = useWhenSeen(() => void refresh());
  useUpdates(["tickets"], ({ key }) => {
    if (key === null || (shown.at === "open" && key === shown.ticket.id)) refreshWhenSeen();
  });
  return { shown, refresh };
}

/** Runs something at once while the page is looked at, else once it is looked at again. */
function useWhenSeen(run: () => unknown): () => void {
  const owed = useRef(false);
  useEffect(() => {
    const seen = (): void => {
      if (document.visibilityState !== "visible" || !owed.current) return;
      owed.current = false;
      run();
    };
    document.addEventListener("visibilitychange", seen);
    return () => document.removeEventListener("visibilitychange", seen);
  }, [run]);
  return () => {
    if (document.visibilityState === "visible") run();
    else owed.current = true;
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
