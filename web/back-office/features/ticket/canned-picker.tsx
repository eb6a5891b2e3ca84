import { useId } from "react";
import useSWR from "swr";
import { showCannedAnswers } from "../../../../contract/settings/settings.ts";
import type { OpenedTicket } from "../../../../contract/tickets/ticket.ts";
import { fillCannedAnswer } from "../../../../domain/settings/canned-answers.ts";
import { send } from "../../../api/send.ts";
import { leftOpen, valuesOf } from "./canned-values.ts";

interface CannedPickerProps {
  readonly ticket: OpenedTicket;
  /** What stands in the field now. */
  readonly text: string;
  readonly onPick: (text: string) => void;
}

/** Puts a canned answer where the cursor is, with what is known filled in; it says what is left to fill in by hand. */
export function CannedPicker({ ticket, text, onPick }: CannedPickerProps) {
  const id = useId();
  const { data } = useSWR(showCannedAnswers.path, () => send(showCannedAnswers));
  if (!data || data.cannedAnswers.length === 0) return null;
  const answers = data.cannedAnswers;
  const pick = (answerId: string): void => {
    const answer = answers.find((one) => one.answerId === answerId);
    if (!answer) return;
    onPick(fillCannedAnswer(answer.text, valuesOf(ticket, data.companyName)).text);
  };
  const missing = leftOpen(text);
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
      <label htmlFor={id} className="text-13 text-muted">
        Canned answer
      </label>
      <select id={id} className="dense-box max-w-full" value="" onChange={({ target }) => pick(target.value)}>
        <option value="">Insert…</option>
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
