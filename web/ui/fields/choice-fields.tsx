import type { InputHTMLAttributes, ReactNode, Ref } from "react";
import { describedBy, FieldNotes, type FieldWords } from "./field-frame.tsx";
import type { SelectOption } from "./select-field.tsx";

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
