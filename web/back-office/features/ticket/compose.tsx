import { useEffect, useId, useRef, useState } from "react";
import { noteOnTicket, replyToCustomer } from "../../../../contract/tickets/acts.ts";
import type { OpenedTicket } from "../../../../contract/tickets/ticket.ts";
import { send } from "../../../api/send.ts";
import { CannedPicker } from "./canned-picker.tsx";
import { leftOpen } from "./canned-values.ts";
import { CloseDialog } from "./close-dialog.tsx";
import { type DraftKind, drafts } from "./drafts.ts";
import { Press } from "./press.tsx";
import type { Act } from "./use-acting.ts";
import { WriteAs } from "./write-as.tsx";

interface ComposeProps {
  readonly ticket: OpenedTicket;
  readonly act: Act;
  readonly busy: boolean;
}

/** Where a reply or a note is typed. What is typed stays until it is sent: through conflicts, updates and reloads. */
export function Compose({ ticket, act, busy }: ComposeProps) {
  const { ticketNumber } = ticket;
  const [kind, setKind] = useState<DraftKind>("reply");
  const [closing, setClosing] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const draft = useDraft(ticketNumber, kind);

  const post = async (next: "Waiting" | "Closed"): Promise<void> => {
    const unready = unreadyWords(kind, draft.text);
    if (unready !== null) return setOutcome({ refused: unready });
    setOutcome(null);
    const refused =
      kind === "note"
        ? await act({ note: draft.text }, (said, options) => send(noteOnTicket, said, options))
        : await act({ message: draft.text, next }, (said, options) => send(replyToCustomer, said, options));
    if (refused !== null) return setOutcome({ refused });
    draft.keep("");
    setOutcome({ done: kind === "note" ? "The note is kept." : doneWords[next] });
  };

  return (
    <section aria-label="Write" className="mt-6 border-t border-hairline pt-4">
      <WriteAs kind={kind} onChange={setKind} />
      {kind === "reply" && <CannedPicker ticket={ticket} text={draft.text} onPick={draft.insert} />}
      <Field kind={kind} draft={draft} refused={outcome?.refused} />
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {kind === "note" ? (
          <Press primary words="Keep note" busy={busy} onPress={() => void post("Waiting")} />
        ) : (
          <>
            <Press primary words="Send, then wait" busy={busy} onPress={() => void post("Waiting")} />
            <Press words="Send and close…" busy={busy} onPress={() => setClosing(true)} />
          </>
        )}
        <span role="status" className="text-13 text-fulfilled">
          {busy ? "" : outcome?.done}
        </span>
      </div>
      <CloseDialog
        open={closing}
        onClose={() => setClosing(false)}
        withReply
        onConfirm={() => post("Closed")}
      />
    </section>
  );
}

interface Outcome {
  readonly refused?: string;
  readonly done?: string;
}

/** Why a text cannot go yet: it is empty, or a canned answer's gap stands in it that no customer should see. */
function unreadyWords(kind: DraftKind, text: string): string | null {
  if (text.trim() === "") return emptyWords[kind];
  const open = kind === "reply" ? leftOpen(text) : [];
  return open.length === 0 ? null : `Fill in first: ${open.join("; ")}.`;
}

const emptyWords = { reply: "Write your reply first.", note: "Write your note first." } as const;
const doneWords = {
  Waiting: "Sent. The customer gets a mail, and the ticket waits for them.",
  Closed: "Sent, and closed. The customer gets a mail.",
} as const;

/** The draft of one kind, kept in this tab with every letter. */
function useDraft(ticketNumber: string, kind: DraftKind) {
  const kept = drafts(sessionStorage);
  const [texts, setTexts] = useState(() => ({
    reply: kept.read(ticketNumber, "reply"),
    note: kept.read(ticketNumber, "note"),
  }));
  const area = useRef<HTMLTextAreaElement>(null);
  const keep = (text: string): void => {
    kept.keep(ticketNumber, kind, text);
    setTexts((before) => ({ ...before, [kind]: text }));
  };
  /** Puts text where the cursor is; what was typed stays around it. */
  const insert = (text: string): void => {
    const at = area.current?.selectionStart ?? texts[kind].length;
    const to = area.current?.selectionEnd ?? at;
    keep(texts[kind].slice(0, at) + text + texts[kind].slice(to));
    area.current?.focus();
  };
  return { text: texts[kind], keep, insert, area };
}

interface FieldProps {
  readonly kind: DraftKind;
  readonly draft: ReturnType<typeof useDraft>;
  readonly refused: string | undefined;
}

function Field({ kind, draft, refused }: FieldProps) {
  const id = useId();
  const refusal = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (refused !== undefined) refusal.current?.scrollIntoView({ block: "nearest" });
  }, [refused]);
  return (
    <div className="mt-3">
      <label htmlFor={id} className="font-[600]">
        {kind === "reply" ? "Your reply" : "Your note"}
      </label>
      <p id={`${id}-hint`} className="text-13 text-muted">
        {kind === "reply"
          ? "The customer reads it behind their private link; the mail says only that there is an answer."
          : "For people who work here. The customer never sees it, but may ask for all that is held about them."}{" "}
        What you type is kept in this tab until it is sent, and nothing else of the ticket is.
      </p>
      <textarea
        ref={draft.area}
        id={id}
        value={draft.text}
        onChange={({ target }) => draft.keep(target.value)}
        maxLength={10_000}
        aria-describedby={`${id}-hint${refused === undefined ? "" : ` ${id}-error`}`}
        className={`field-box mt-1.5 h-[300px] w-full ${kind === "note" ? "border-dashed" : ""}`}
      />
      {refused !== undefined && (
        <p
          ref={refusal}
          id={`${id}-error`}
          role="alert"
          className="mt-2 border-l-3 border-danger pl-3 font-[500] text-danger"
        >
          {refused}
        </p>
      )}
    </div>
  );
}
