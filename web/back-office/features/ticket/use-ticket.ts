import { useCallback, useEffect, useRef, useState } from "react";
import type { OpenedTicket } from "../../../../contract/tickets/ticket.ts";
import { openTicketAsStaff } from "../../../../contract/tickets/ticket.ts";
import { ApiError } from "../../../api/problem.ts";
import { send } from "../../../api/send.ts";
import { useIdentity } from "../../../identity/identity.ts";
import { useUpdates } from "../../use-updates.ts";

/** Loading state of the ticket. `fresh`: entries by others since the page was opened or the user last acted. */
export type TicketOnPage =
  | { readonly at: "loading" }
  | { readonly at: "missing" }
  | { readonly at: "failed"; readonly failure: unknown }
  | { readonly at: "open"; readonly ticket: OpenedTicket; readonly fresh: ReadonlySet<string> };

/**
 * The page's ticket, reloaded on changes and kept in memory only. Opening it is logged as access, so a hidden page
 * reloads only once it is visible.
 */
export function useTicket(ticketNumber: string) {
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
  useUpdates(["tickets"], ({ key }) => {
    if (key === null || (shown.at === "open" && key === shown.ticket.id)) refreshWhenVisible();
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
