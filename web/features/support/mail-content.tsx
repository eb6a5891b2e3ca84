import { useState } from "react";
import {
  chooseMailContent,
  type TicketCredentials,
  type TicketView,
} from "../../../contract/tickets/conversation.ts";
import { refusalWords } from "../../api/problem.ts";
import { send } from "../../api/send.ts";

export const mailContents = [
  { value: "link", words: "Only a private link to the reply" },
  { value: "text", words: "The reply itself, and the link" },
] as const;

export const mailIsNotPrivate =
  "Email is not private: others may read it on its way, or in a shared mailbox. Anyone who has the link can open the page, so keep it to yourself.";

const now = {
  link: "Our emails only say that we have replied, with a private link to the reply.",
  text: "Our emails have our replies in full. You chose this.",
} as const;

interface MailContentProps {
  readonly access: TicketCredentials;
  readonly ticket: TicketView;
  readonly onChosen: (ticket: TicketView) => void;
}

/** What emails about our answers say, and the other choice. */
export function MailContent({ access, ticket, onChosen }: MailContentProps) {
  const [said, setSaid] = useState("");
  const other = ticket.mailContent === "link" ? "text" : "link";
  const choose = async (): Promise<void> => {
    setSaid("One moment...");
    try {
      onChosen(await send(chooseMailContent, { body: { ...access, content: other } }));
      setSaid("Changed.");
    } catch (failure) {
      setSaid(refusalWords(failure).join(" "));
    }
  };
  return (
    <details className="question no-print mt-8 border-t border-hairline">
      <summary className="cursor-pointer py-3">What do our emails say?</summary>
      <div className="pl-6 text-muted">
        <p>{now[ticket.mailContent]}</p>
        {ticket.mailContent === "link" && <p className="mt-2">{mailIsNotPrivate}</p>}
      </div>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 py-4 pl-6">
        <button type="button" className="button button-small button-outlined" onClick={() => void choose()}>
          {other === "text" ? "Send me replies in full" : "Send me only a link"}
        </button>
        <span role="status">{said}</span>
      </div>
    </details>
  );
}
