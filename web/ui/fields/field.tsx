import type { InputHTMLAttributes, ReactNode, Ref, TextareaHTMLAttributes } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import type { Doubt } from "../../../domain/forms/question.ts";

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

/** The suggestion of a doubt, if it has one, for a box that a form has registered. */
export function suggestionFor(
  doubt: Doubt | undefined,
  id: string,
  input: UseFormRegisterReturn,
): Suggestion | undefined {
  const answer = doubt?.suggestion;
  return answer === undefined ? undefined : { answer, take: () => typeInto(id, input, answer) };
}

/** Through the form's own handler, as if it had been typed: it checks and keeps the answer like any other. */
function typeInto(id: string, input: UseFormRegisterReturn, answer: string): void {
  const box = document.getElementById(id);
  if (!(box instanceof HTMLInputElement)) return;
  box.value = answer;
  void input.onChange({ target: box, type: "change" });
  // The button that was pressed goes with the question: without this the focus would be lost.
  box.focus();
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

type TextFieldProps = FieldWords &
  Omit<InputHTMLAttributes<HTMLInputElement>, "id" | "className"> & {
    ref?: Ref<HTMLInputElement>;
    figures?: boolean;
  };

/** A line of text with its label, hint and error. */
export function TextField(props: TextFieldProps) {
  const { id, label, hint, error, question, suggestion, figures = false, ...input } = props;
  const words: FieldWords = { id, label, hint, error, question, suggestion };
  return (
    <FieldFrame words={words}>
      <input
        type="text"
        {...input}
        id={id}
        className={`field-box ${figures ? "figures" : ""}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(words)}
      />
    </FieldFrame>
  );
}

type TextAreaFieldProps = FieldWords &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id" | "className"> & { ref?: Ref<HTMLTextAreaElement> };

/** Several lines of text with their label, hint and error; 300 px tall. */
export function TextAreaField(props: TextAreaFieldProps) {
  const { id, label, hint, error, question, suggestion, ...area } = props;
  const words: FieldWords = { id, label, hint, error, question, suggestion };
  return (
    <FieldFrame words={words}>
      <textarea
        {...area}
        id={id}
        className="field-box h-[300px]"
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(words)}
      />
    </FieldFrame>
  );
}
