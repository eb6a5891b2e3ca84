import { useCallback, useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import type { TicketCredentials, TicketView } from "../../../contract/tickets/conversation.ts";
import { viewTicket } from "../../../contract/tickets/conversation.ts";
import { ApiError } from "../../api/problem.ts";
import { send } from "../../api/send.ts";

const storedKey = "ticket-key";

/** What the page shows: the form to find a conversation, or one. `notice` says why a link did not open one. */
export type Conversation =
  | { readonly at: "form"; readonly notice: string | null }
  | { readonly at: "loading" }
  | { readonly at: "open"; readonly access: TicketCredentials; readonly ticket: TicketView };

const notices = {
  wrongLink:
    "This link does not open a conversation. It may be incomplete or have been replaced by a newer one. You can use your ticket number and email address instead.",
  fault: "We could not load the conversation. Please reload the page, or try again with your ticket number.",
} as const;

/**
 * The conversation of the link one came by. Its key is taken out of the address at once, so that it stays out of the history and of
 * whatever reads over one's shoulder, and kept for the tab, so that a reload shows the same.
 */
export function useConversation() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [conversation, setConversation] = useState<Conversation>({ at: "loading" });
  const enter = useCallback(async (access: TicketCredentials): Promise<void> => {
    const ticket = await send(viewTicket, { body: access });
    if ("key" in access) sessionStorage.setItem(storedKey, access.key);
    setConversation({ at: "open", access, ticket });
  }, []);

  useEffect(() => {
    const inLink = new URLSearchParams(hash.slice(1)).get("key");
    if (inLink) {
      sessionStorage.setItem(storedKey, inLink);
      // The next render finds it there.
      navigate({ hash: "" }, { replace: true });
      return;
    }
    const key = sessionStorage.getItem(storedKey);
    if (!key) {
      setConversation((before) => (before.at === "loading" ? { at: "form", notice: null } : before));
      return;
    }
    enter({ key }).catch((failure: unknown) => {
      const wrong = failure instanceof ApiError && failure.status === 404;
      if (wrong) sessionStorage.removeItem(storedKey);
      setConversation({ at: "form", notice: wrong ? notices.wrongLink : notices.fault });
    });
  }, [hash, navigate, enter]);

  const leave = (): void => {
    sessionStorage.removeItem(storedKey);
    setConversation({ at: "form", notice: null });
  };
  const update = (access: TicketCredentials, ticket: TicketView): void => {
    if ("key" in access) sessionStorage.setItem(storedKey, access.key);
    setConversation({ at: "open", access, ticket });
  };
  return { conversation, enter, leave, update };
}
