import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError } from "../../../api/problem.ts";
import { type OpenedTicket, openTicket } from "../../api/open-ticket.ts";
import { useUpdates } from "../../use-updates.ts";

/** What the page has of its ticket. `fresh` are the entries that came while it was open. */
export type TicketOnPage =
  | { readonly at: "loading" }
  | { readonly at: "missing" }
  | { readonly at: "failed" }
  | { readonly at: "open"; readonly ticket: OpenedTicket; readonly fresh: ReadonlySet<string> };

/**
 * The ticket of the page, opened again when it changes. Kept in the page alone: what was written is gone from memory with it. Opening is
 * a look that is recorded, so nothing is opened while nobody looks: a page in the background catches up when it is seen again.
 */
export function useTicket(ticketNumber: string) {
  const [shown, setShown] = useState<TicketOnPage>({ at: "loading" });
  const asked = useRef(0);

  const refresh = useCallback(async (): Promise<OpenedTicket | undefined> => {
    const ask = ++asked.current;
    try {
      const ticket = await openTicket(ticketNumber);
      // An answer that was overtaken says what was, not what is.
      if (ask === asked.current)
        setShown((before) => ({ at: "open", ticket, fresh: freshIn(before, ticket) }));
      return ticket;
    } catch (failure) {
      if (ask !== asked.current) return undefined;
      const missing = failure instanceof ApiError && failure.status === 404;
      // What is on the page stays there: it is better than nothing, and the next change asks again.
      setShown((before) => (before.at === "open" ? before : { at: missing ? "missing" : "failed" }));
      return undefined;
    }
  }, [ticketNumber]);

  useEffect(() => {
    setShown({ at: "loading" });
    void refresh();
    return () => {
      asked.current += 1;
    };
  }, [refresh]);

  const refreshWhenSeen = useWhenSeen(refresh);
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

function freshIn(before: TicketOnPage, { conversation }: OpenedTicket): ReadonlySet<string> {
  if (before.at !== "open") return new Set();
  const known = new Set(before.ticket.conversation.map(({ id }) => id));
  const arrived = conversation.filter(({ id }) => !known.has(id)).map(({ id }) => id);
  return new Set([...before.fresh, ...arrived]);
}
