import useSWR from "swr";
import { listTickets } from "../../../../contract/tickets/inbox.ts";
import { send } from "../../../api/send.ts";

/** A page of the inbox, with what was asked for; the one before stays while the next is on its way. */
export const useTickets = (query: string) =>
  useSWR([listTickets.path, query], async () => ({ ...(await send(listTickets, { query })), query }), {
    revalidateIfStale: true,
    keepPreviousData: true,
  });
