import { Lock, Send } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import useSWR from "swr";
import { showCannedAnswers } from "../../../../contract/settings/settings.ts";
import { noteOnTicket, type OpenedTicket, replyToCustomer } from "../../../../contract/tickets/ticket.ts";
import { fillCannedAnswer } from "../../../../domain/settings/canned-answers.ts";
import { send } from "../../../api/send.ts";
import { type Act, CloseDialog, Press } from "./acting.tsx";
import { type DraftKind, drafts, leftOpen, valuesOf } from "./ticket-texts.ts";

interface ComposeProps {
  readonly ticket: OpenedTicket;
  readonly act: Act;
  readonly busy: boolean;
}

/** Editor for replies and notes. Drafts survive conflicts, updates and reloads. */
export function Compose({ ticket, act, busy }: ComposeProps) {
  const { ticketNumber } = ticket;
  const [kind, setKind] = useState<DraftKind>("reply");
  const [closing, setClosing] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const draft = useDraft(ticketNumber, kind);

  const isReady = (): boolean => {
    const unready = unreadyWords(kind, draft.text);
    setOutcome(unready === null ? null : { refused: unready });
    return unready === null;
  };
  const post = async (next: "Waiting" | "Closed"): Promise<void> => {
    if (!isReady()) return;
    const refused =
      kind === "note"
        ? await act({ note: draft.text }, (request, options) => send(noteOnTicket, request, options))
        : await act({ message: draft.text, next }, (request, options) =>
            send(replyToCustomer, request, options),
          );
    if (refused !== null) return setOutcome({ refused });
    draft.keep("");
    setOutcome({ done: kind === "note" ? "Note saved." : doneWords[next] });
  };

  return (
    <section aria-label="Write" className="mt-6 border-t border-hairline pt-4">
      <WriteAs kind={kind} onChange={setKind} />
      {kind === "reply" && <CannedPicker ticket={ticket} text={draft.text} onPick={draft.insert} />}
      <Field kind={kind} draft={draft} refused={outcome?.refused} mailContent={ticket.mailContent} />
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {kind === "note" ? (
          <Press primary words="Save note" busy={busy} onPress={() => void post("Waiting")} />
        ) : (
          <>
            <Press primary words="Send and wait" busy={busy} onPress={() => void post("Waiting")} />
            <Press words="Send and close…" busy={busy} onPress={() => setClosing(isReady())} />
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

/** Why a text cannot be sent yet: it is empty or has unfilled placeholders. */
function unreadyWords(kind: DraftKind, text: string): string | null {
  if (text.trim() === "") return emptyWords[kind];
  const open = kind === "reply" ? leftOpen(text) : [];
  return open.length === 0 ? null : `Fill in first: ${open.join("; ")}.`;
}

const emptyWords = { reply: "Write your reply first.", note: "Write your note first." } as const;
const doneWords = {
  Waiting: "Sent. We have emailed the customer, and the ticket is waiting for their reply.",
  Closed: "Sent and closed. We have emailed the customer.",
} as const;

/** The draft of a reply or note, saved in this tab on every keystroke. */
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
  /** Inserts text at the cursor, replacing the selection. */
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
  readonly mailContent: OpenedTicket["mailContent"];
}

const mailWords = {
  link: "Our email only says that there is a reply.",
  text: "Our email has it in full as well: the customer chose that.",
} as const;

function Field({ kind, draft, refused, mailContent }: FieldProps) {
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
          ? `The customer reads it through their private link. ${mailWords[mailContent]}`
          : "For staff only. The customer does not see it, but it is part of a subject access request."}{" "}
        Your draft is kept in this tab until you send it.
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

interface CannedPickerProps {
  readonly ticket: OpenedTicket;
  /** The current draft. */
  readonly text: string;
  readonly onPick: (text: string) => void;
}

/**
 * Inserts a canned answer with known values filled in, and lists the placeholders left. It takes its room before the
 * answers are there: what stands below must not move under a finger.
 */
function CannedPicker({ ticket, text, onPick }: CannedPickerProps) {
  const id = useId();
  const { data } = useSWR(showCannedAnswers.path, () => send(showCannedAnswers));
  const answers = data?.cannedAnswers ?? [];
  const pick = (answerId: string): void => {
    const answer = answers.find((one) => one.answerId === answerId);
    if (!data || !answer) return;
    onPick(fillCannedAnswer(answer.text, valuesOf(ticket, data.companyName)).text);
  };
  const missing = leftOpen(text);
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
      <label htmlFor={id} className="text-13 text-muted">
        Canned answer
      </label>
      <select
        id={id}
        className="dense-box max-w-full"
        value=""
        disabled={answers.length === 0}
        onChange={({ target }) => pick(target.value)}
      >
        <option value="">{data?.cannedAnswers.length === 0 ? "None yet" : "Insert…"}</option>
        {answers.map(({ answerId, title }) => (
          <option key={answerId} value={answerId}>
            {title}
          </option>
        ))}
      </select>
      <p role="status" className="text-13 text-pending">
        {missing.length > 0 && `Fill in by hand: ${missing.join("; ")}.`}
      </p>
    </div>
  );
}

interface WriteAsProps {
  readonly kind: DraftKind;
  readonly onChange: (kind: DraftKind) => void;
}

const kinds = [
  { kind: "reply", words: "Reply to the customer", Icon: Send },
  { kind: "note", words: "Internal note", Icon: Lock },
] as const;

/** Switches between reply and note. Separate drafts keep a note from being sent as a reply. */
function WriteAs({ kind: chosen, onChange }: WriteAsProps) {
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">Who will read it</legend>
      {kinds.map(({ kind, words, Icon }) => (
        <label
          key={kind}
          className={`inline-flex min-h-9 cursor-pointer items-center gap-2 rounded-4 border px-3 text-13 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 ${
            kind === chosen ? "border-primary bg-tint font-[600]" : "border-hairline hover:border-field"
          }`}
        >
          <input
            type="radio"
            name="write-as"
            className="sr-only"
            checked={kind === chosen}
            onChange={() => onChange(kind)}
          />
          <Icon aria-hidden="true" className="size-3.5" strokeWidth={1.75} />
          {words}
        </label>
      ))}
    </fieldset>
  );
}
