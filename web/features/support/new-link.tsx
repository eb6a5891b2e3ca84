import { useState } from "react";
import { Link } from "react-router-dom";
import type { TicketCredentials } from "../../../contract/tickets/conversation.ts";
import { replaceTicketLink } from "../../../contract/tickets/conversation.ts";
import { refusalWords } from "../../api/refusal-words.ts";
import { send } from "../../api/send.ts";
import { pathOf } from "./ticket-opened.tsx";

interface NewLinkProps {
  access: TicketCredentials;
  onReplaced: (access: TicketCredentials) => void;
}

/** For whoever's private link got into other hands. */
export function NewLink({ access, onReplaced }: NewLinkProps) {
  const [state, setState] = useState<{ said: string; path?: string }>({ said: "" });
  const replace = async (): Promise<void> => {
    setState({ said: "One moment..." });
    try {
      const { link } = await send(replaceTicketLink, { body: access });
      const path = pathOf(link);
      const key = new URLSearchParams(new URL(link).hash.slice(1)).get("key");
      if ("key" in access && key) onReplaced({ key });
      setState({ said: "The old link no longer works. We have emailed you the new one.", path });
    } catch (failure) {
      setState({ said: refusalWords(failure).join(" ") });
    }
  };
  return (
    <details className="question no-print mt-8 border-t border-hairline">
      <summary className="cursor-pointer py-3">Does someone else have the link to this conversation?</summary>
      <p className="pl-6 text-muted">You can replace it. The link in our earlier emails will stop working.</p>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 py-4 pl-6">
        <button type="button" className="button button-small button-outlined" onClick={() => void replace()}>
          Replace the link
        </button>
        <span role="status">{state.said}</span>
        {state.path && (
          <Link className="link" to={state.path}>
            Open the new link
          </Link>
        )}
      </div>
    </details>
  );
}
