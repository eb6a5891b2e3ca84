import { ChevronDown } from "lucide-react";
import type { InputHTMLAttributes, ReactNode, Ref, SelectHTMLAttributes } from "react";
import { describedBy, FieldFrame, FieldNotes, type FieldWords } from "./field.tsx";

/** One thing to choose: its value, and its words where they differ. */
export interface SelectOption {
  value: string;
  words: string;
}

/** Options whose words are their values. */
export const optionsOf = (values: readonly (string | number)[]): SelectOption[] =>
  values.map((value) => ({ value: String(value), words: String(value) }));

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

type SelectFieldProps = FieldWords &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, "id"> & {
    ref?: Ref<HTMLSelectElement>;
    options: readonly SelectOption[];
    /** The words of the empty choice; left out when there is none. */
    placeholder?: string;
  };

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

type RadioFieldProps = FieldWords & {
  options: readonly SelectOption[];
  /** What each radio button gets, such as a form's registration. */
  input: InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> };
  children?: ReactNode;
};

/** Yes and no, as radio buttons. */
export const yesNo: readonly SelectOption[] = [
  { value: "yes", words: "Yes" },
  { value: "no", words: "No" },
];

/** One of a few, as radio buttons. The first carries the id, so that an error's link lands on it. */
export function RadioField({ options, input, children, ...words }: RadioFieldProps) {
  return (
    <fieldset
      className={`min-w-0 ${words.error ? "border-l-4 border-danger pl-4" : ""}`}
      aria-describedby={describedBy(words)}
    >
      <legend className={`font-[600] ${words.error ? "text-danger" : ""}`}>{words.label}</legend>
      <FieldNotes {...words} />
      <div className="mt-1 flex flex-wrap gap-x-6">
        {options.map(({ value, words: text }, index) => (
          <label key={value} className="flex min-h-11 cursor-pointer items-center gap-2.5">
            <input
              {...input}
              type="radio"
              value={value}
              id={index === 0 ? words.id : `${words.id}-${index}`}
              className="mark"
              aria-invalid={words.error ? true : undefined}
            />
            {text}
          </label>
        ))}
      </div>
      {children}
    </fieldset>
  );
}

interface CheckboxFieldProps {
  id: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  error?: string | undefined;
  /** The words beside the box. */
  children: ReactNode;
}

/** One box to tick. */
export function CheckboxField({ id, checked, onChange, error, children }: CheckboxFieldProps) {
  return (
    <div className={error ? "border-l-4 border-danger pl-4" : ""}>
      <FieldNotes id={id} error={error} />
      <div className="flex items-start gap-3 py-1">
        <input
          type="checkbox"
          id={id}
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
          className="mark"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
        />
        <label htmlFor={id} className="min-w-0 cursor-pointer">
          {children}
        </label>
      </div>
    </div>
  );
}
