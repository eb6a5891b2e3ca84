import type { ReactNode } from "react";

/** What a field shows around its control. `id` is the control's; hint and error get ids derived from it. */
export interface FieldWords {
  id: string;
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Something that looks wrong and may be right. */
  question?: string | undefined;
  /** What the customer may have meant. */
  suggestion?: Suggestion | undefined;
}

/** An answer to accept with one click. `take` fills the field and moves the focus there, to have it read out. */
export interface Suggestion {
  answer: string;
  take: () => void;
}

/** The ids that describe a control, for aria-describedby. */
export const describedBy = ({ id, hint, error, question }: FieldWords): string | undefined =>
  [hint ? `${id}-hint` : "", error ? `${id}-error` : "", question ? `${id}-question` : ""]
    .filter(Boolean)
    .join(" ") || undefined;

/** The words under a label: the hint, and the error in words. */
export function FieldNotes({ id, hint, error }: Pick<FieldWords, "id" | "hint" | "error">) {
  return (
    <>
      {hint && (
        <div id={`${id}-hint`} className="text-14 text-muted">
          {hint}
        </div>
      )}
      {error && (
        <p id={`${id}-error`} className="font-[600] text-danger">
          <span className="sr-only">Error: </span>
          <span>{error}</span>
        </p>
      )}
    </>
  );
}

/** The doubt about an answer that may still be right, and the button that accepts the suggestion. */
export function FieldQuestion({
  id,
  question,
  suggestion,
}: Pick<FieldWords, "id" | "question" | "suggestion">) {
  return (
    <>
      <p id={`${id}-question`} role="status" className={question ? "mt-1.5 text-14 text-pending" : "sr-only"}>
        {question}
      </p>
      {question && suggestion && (
        <button type="button" className="button button-small button-outlined mt-2" onClick={suggestion.take}>
          Use {suggestion.answer}
        </button>
      )}
    </>
  );
}

/** A label above, hint and error, then the control; an error marks the whole field with a bar. */
export function FieldFrame({ words, children }: { words: FieldWords; children: ReactNode }) {
  return (
    <div className={words.error ? "border-l-4 border-danger pl-4" : ""}>
      <label htmlFor={words.id} className={`block font-[600] ${words.error ? "text-danger" : ""}`}>
        {words.label}
      </label>
      <FieldNotes {...words} />
      <div className="mt-1.5">{children}</div>
      <FieldQuestion {...words} />
    </div>
  );
}
