import { typedWork } from "../../../identity/sign-in-marker.ts";

export type DraftKind = "reply" | "note";

const keyOf = (ticketNumber: string, kind: DraftKind): string => `${typedWork}ticket-${kind}:${ticketNumber}`;

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * Drafts kept in this tab until they are sent, the user signs out or the tab closes. Holds only what staff typed, no
 * ticket data.
 */
export const drafts = (store: Store) => ({
  read: (ticketNumber: string, kind: DraftKind): string => store.getItem(keyOf(ticketNumber, kind)) ?? "",
  keep(ticketNumber: string, kind: DraftKind, text: string): void {
    if (text === "") store.removeItem(keyOf(ticketNumber, kind));
    else store.setItem(keyOf(ticketNumber, kind), text);
  },
});
