import { typedWork } from "../../../identity/sign-in-marker.ts";

/** What is typed and not sent: a reply, or a note. */
export type DraftKind = "reply" | "note";

const keyOf = (ticketNumber: string, kind: DraftKind): string => `${typedWork}ticket-${kind}:${ticketNumber}`;

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * Keeps drafts in this tab until they are sent, so that a reload or a look at the order loses nothing. Nothing of the ticket is kept, only
 * what staff typed themselves; signing out, or the tab's end, is the end of it.
 */
export const drafts = (store: Store) => ({
  read: (ticketNumber: string, kind: DraftKind): string => store.getItem(keyOf(ticketNumber, kind)) ?? "",
  keep(ticketNumber: string, kind: DraftKind, text: string): void {
    if (text === "") store.removeItem(keyOf(ticketNumber, kind));
    else store.setItem(keyOf(ticketNumber, kind), text);
  },
});
