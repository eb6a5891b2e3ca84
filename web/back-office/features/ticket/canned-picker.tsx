import { useId, useState } from "react";
import {
  type CannedValues,
  cannedVariables,
  fillCannedAnswer,
} from "../../../../domain/settings/canned-answers.ts";
import { longDay } from "../../../ui/dates.ts";
import { useCannedAnswers } from "../../api/get-canned-answers.ts";
import type { OpenedTicket } from "../../api/open-ticket.ts";

interface CannedPickerProps {
  readonly ticket: OpenedTicket;
  readonly onPick: (text: string) => void;
}

/** Puts a canned answer where the cursor is, with what is known filled in; it says what is left to fill in by hand. */
export function CannedPicker({ ticket, onPick }: CannedPickerProps) {
  const id = useId();
  const [missing, setMissing] = useState<readonly string[]>([]);
  const { data } = useCannedAnswers();
  if (!data || data.cannedAnswers.length === 0) return null;
  const answers = data.cannedAnswers;
  const pick = (answerId: string): void => {
    const answer = answers.find((one) => one.answerId === answerId);
    if (!answer) return;
    const filled = fillCannedAnswer(answer.text, valuesOf(ticket, data.companyName));
    setMissing(filled.missing.map((name) => cannedVariables[name]));
    onPick(filled.text);
  };
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
        {missing.length > 0 && `Fill in by hand: ${missing.join(", ")}.`}
      </p>
    </div>
  );
}

/** Each status as customers read it. */
const statusWords: Readonly<Record<string, string>> = {
  Pending: "pending",
  Processing: "with the General Register Office",
  Fulfilled: "fulfilled",
  Cancelled: "cancelled",
  Failed: "failed",
};

function valuesOf({ contact, order, statedOrderNumber }: OpenedTicket, companyName: string): CannedValues {
  const orderNumber = order?.orderNumber ?? statedOrderNumber;
  return {
    companyName,
    ...(contact && { customerName: contact.name }),
    ...(orderNumber !== null && { orderNumber }),
    ...(order && { status: statusWords[order.status] ?? order.status }),
    ...(order?.despatchBy && { expectedDespatch: longDay(order.despatchBy) }),
  };
}
