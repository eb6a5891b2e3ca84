import { ChevronDown } from "lucide-react";
import type { Ref, SelectHTMLAttributes } from "react";
import { describedBy, FieldFrame, type FieldWords } from "./field-frame.tsx";

type SelectBoxProps = SelectHTMLAttributes<HTMLSelectElement> & { ref?: Ref<HTMLSelectElement> };

/** A native select in our look. */
export function SelectBox({ className = "", ...select }: SelectBoxProps) {
  return (
    <span className={`relative block ${className}`}>
      <select {...select} className="field-box" />
      <ChevronDown
        aria-hidden="true"
        strokeWidth={1.75}
        className="pointer-events-none absolute top-1/2 right-2.5 size-5 -translate-y-1/2 text-muted"
      />
    </span>
  );
}

/** One thing to choose: its value, and its words where they differ. */
export interface SelectOption {
  value: string;
  words: string;
}

type SelectFieldProps = FieldWords &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, "id"> & {
    ref?: Ref<HTMLSelectElement>;
    options: readonly SelectOption[];
    /** The words of the empty choice; left out when there is none. */
    placeholder?: string;
  };

/** Options whose words are their values. */
export const optionsOf = (values: readonly (string | number)[]): SelectOption[] =>
  values.map((value) => ({ value: String(value), words: String(value) }));

/** A native select with its label, hint and error. */
export function SelectField(props: SelectFieldProps) {
  const { id, label, hint, error, question, suggestion, options, placeholder, ...select } = props;
  const words: FieldWords = { id, label, hint, error, question, suggestion };
  return (
    <FieldFrame words={words}>
      <SelectBox
        {...select}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(words)}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map(({ value, words: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </SelectBox>
    </FieldFrame>
  );
}
