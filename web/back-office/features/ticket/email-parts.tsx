import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import {
  type ConversationEntry,
  downloadAttachmentAsStaff,
  type OpenedTicket,
  openOriginal,
} from "../../../../contract/tickets/ticket.ts";
import { originalRevealReason } from "../../../../domain/ticket/vocabulary.ts";
import { call, saveFile } from "../../../api/send.ts";
import { sizeWords } from "../../../ui/file-size.ts";
import { ActionDialog } from "../../ui/action-dialog.tsx";
import { Refusal } from "./acting.tsx";
import { refusalWords } from "./ticket-texts.ts";

type Message = Extract<ConversationEntry, { kind: "message" }>;
type Email = NonNullable<Message["email"]>;

/** Where an email says it comes from, what the receiving server found, and a warning about another address. */
export function Arrival({ email }: { email: Email }) {
  return (
    <div className="mt-1.5 text-13">
      {email.sender === "other" && (
        <p className="flex gap-1.5 rounded-4 bg-pending-ground px-2 py-1 text-pending">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 flex-none" strokeWidth={1.75} />
          <span>
            Sent from another address than the customer’s
            {email.from === null ? "" : ": "}
            <span translate="no" className="wrap-anywhere">
              {email.from}
            </span>
            . It may be someone else.
          </span>
        </p>
      )}
      <details className="text-muted">
        <summary className="cursor-pointer">{verdict(email.authentication)}</summary>
        <ul className="mt-1 list-disc pl-5">
          {findings(email.authentication).map((finding) => (
            <li key={finding}>{finding}</li>
          ))}
        </ul>
      </details>
    </div>
  );
}

function verdict(found: Email["authentication"]): string {
  if (found === null) return "The sender was not checked";
  if (Object.values(found).includes("fail")) return "The sender failed a check";
  return found.dmarc === "pass" ? "The sender’s domain is confirmed" : "The sender’s domain is not confirmed";
}

const spfWords = {
  pass: "SPF: the server that sent it may send for this domain.",
  fail: "SPF: the server that sent it may not send for this domain.",
  none: "SPF: the domain does not say which servers may send for it.",
} as const;
const dkimWords = {
  pass: "DKIM: its signature is valid, so nothing was changed on the way.",
  fail: "DKIM: its signature is not valid. It was forged, or changed on the way.",
  none: "DKIM: it is not signed.",
} as const;
const dmarcWords = {
  pass: "DMARC: it comes from the domain that it names.",
  fail: "DMARC: the domain that it names says that it is not its own.",
  none: "DMARC: the domain says nothing about such emails.",
} as const;

const findings = (found: Email["authentication"]): readonly string[] =>
  found === null
    ? ["Our mail server added no results of SPF, DKIM or DMARC."]
    : [spfWords[found.spf], dkimWords[found.dkim], dmarcWords[found.dmarc]];

interface FilesProps {
  readonly ticket: OpenedTicket;
  readonly message: Message;
}

/** The files of a message, to download. They are never shown on the page. */
export function Files({ ticket: { ticketNumber, filesAreScanned }, message }: FilesProps) {
  const [refused, setRefused] = useState<string | null>(null);
  if (message.attachments.length === 0) return null;
  const download = async (place: number): Promise<void> => {
    setRefused(null);
    const params = { ticketNumber, messageId: message.id, place: String(place) };
    try {
      await saveFile(await call(downloadAttachmentAsStaff, { params }));
    } catch (failure) {
      setRefused(refusalWords(failure));
    }
  };
  return (
    <div className="mt-2 border-t border-hairline pt-1.5 text-13">
      <ul aria-label="Files">
        {message.attachments.map(({ name, bytes }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message’s files never change.
          <li key={place} className="flex flex-wrap items-center gap-x-2">
            <button
              type="button"
              translate="no"
              className="link min-h-8 cursor-pointer text-left wrap-anywhere"
              onClick={() => void download(place)}
            >
              {name}
            </button>
            <span className="text-muted">{sizeWords(bytes)}</span>
          </li>
        ))}
      </ul>
      {!filesAreScanned && <p className="text-pending">Not scanned for viruses. Open with care.</p>}
      <Refusal words={refused} />
    </div>
  );
}

const reasonWords = {
  unreadable: "It cannot be read here, or lacks something",
  doubtfulSender: "To see who sent it",
  subjectAccess: "Subject access request",
  lawRequires: "The law requires it",
} as const;

/** Downloads an email as it came. Each time is logged with its reason. */
export function Original({ ticket: { ticketNumber }, message }: FilesProps) {
  const [open, setOpen] = useState(false);
  if (message.email === null || message.text === null) return null;
  return (
    <>
      <button
        type="button"
        className="link mt-1.5 min-h-8 cursor-pointer text-13"
        onClick={() => setOpen(true)}
      >
        Download the original…
      </button>
      <ActionDialog
        open={open}
        onClose={() => setOpen(false)}
        title="Download the original email?"
        whatHappens="You get the email as it came, with its headers and anything hidden in it. Who downloads it and why is logged."
        confirmLabel="Download"
        reasons={originalRevealReason.options.map((value) => ({ value, words: reasonWords[value] }))}
        withNote={false}
        onConfirm={async ({ reason }) => {
          const body = { reason: originalRevealReason.parse(reason) };
          await saveFile(await call(openOriginal, { params: { ticketNumber, messageId: message.id }, body }));
        }}
      />
    </>
  );
}
