import type { InputHTMLAttributes, Ref, TextareaHTMLAttributes } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import type { Doubt } from "../../../domain/forms/question.ts";
import { describedBy, FieldFrame, type FieldWords, type Suggestion } from "./field-frame.tsx";

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
