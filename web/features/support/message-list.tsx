import { useState } from "react";
import {
  downloadAttachment,
  type TicketCredentials,
  type TicketView,
} from "../../../contract/tickets/conversation.ts";
import { refusalWords } from "../../api/problem.ts";
import { call, saveFile } from "../../api/send.ts";
import { useTradingName } from "../../site/config.ts";
import { londonMoment } from "../../ui/dates.ts";
import { sizeWords } from "../../ui/file-size.ts";

type Message = TicketView["messages"][number];

interface MessageListProps {
  readonly access: TicketCredentials;
  readonly messages: readonly Message[];
}

/** Messages, oldest first; ours differ by background, and by name for screen readers. */
export function MessageList({ access, messages }: MessageListProps) {
  return (
    <ol className="space-y-4" aria-label="Messages">
      {messages.map((message) => (
        <li
          key={message.id}
          className={`keep-together rounded-4 border border-hairline px-5 py-4 ${message.author === "staff" ? "bg-tint" : "bg-surface"}`}
        >
          <Heading message={message} />
          {message.automatic ? (
            <details className="mt-2">
              <summary className="min-h-11 cursor-pointer content-center">Automatic reply</summary>
              <Text message={message} />
            </details>
          ) : (
            <Text message={message} />
          )}
          {message.quoted !== "" && (
            <details className="mt-2">
              <summary className="min-h-11 cursor-pointer content-center text-muted">Quoted text</summary>
              <p translate="no" className="max-w-measure whitespace-pre-wrap wrap-anywhere text-muted">
                {message.quoted}
              </p>
            </details>
          )}
          <Attachments access={access} message={message} />
        </li>
      ))}
    </ol>
  );
}

function Heading({ message: { author, byEmail, timestamp } }: { message: Message }) {
  const name = useTradingName();
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-14 text-muted">
      <span>
        <strong className="font-[600] text-ink">{author === "staff" ? name : "You"}</strong>
        {byEmail && " by email"}
      </span>
      <time dateTime={timestamp}>{londonMoment(timestamp)}</time>
    </p>
  );
}

function Text({ message: { author, text } }: { message: Message }) {
  return (
    <p
      translate={author === "staff" ? undefined : "no"}
      className="mt-2 max-w-measure whitespace-pre-wrap wrap-anywhere"
    >
      {text}
    </p>
  );
}

function Attachments({ access, message }: { access: TicketCredentials; message: Message }) {
  const [said, setSaid] = useState("");
  if (message.attachments.length === 0) return null;
  const download = async (place: number): Promise<void> => {
    setSaid("");
    try {
      const body = { ...access, messageId: message.id, place };
      await saveFile(await call(downloadAttachment, { body }));
    } catch (failure) {
      setSaid(refusalWords(failure).join(" "));
    }
  };
  return (
    <>
      <ul aria-label="Files" className="mt-3 border-t border-hairline pt-1">
        {message.attachments.map(({ name, bytes }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message's files never change.
          <li key={place} className="flex flex-wrap items-center gap-x-3">
            <button
              type="button"
              translate="no"
              className="link min-h-11 cursor-pointer text-left wrap-anywhere"
              onClick={() => void download(place)}
            >
              {name}
            </button>
            <span className="text-14 text-muted">{sizeWords(bytes)}</span>
          </li>
        ))}
      </ul>
      <p role="status" className="text-14">
        {said}
      </p>
    </>
  );
}
