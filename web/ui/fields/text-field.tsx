import type { InputHTMLAttributes, Ref, TextareaHTMLAttributes } from "react";
import { describedBy, FieldFrame, type FieldWords } from "./field-frame.tsx";

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
