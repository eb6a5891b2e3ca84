import type { Ref, TextareaHTMLAttributes } from "react";
import { describedBy, FieldFrame, type FieldWords } from "./field-frame.tsx";

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
