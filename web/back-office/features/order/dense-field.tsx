import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from "react";

interface LabelledProps {
  readonly label: string;
  readonly hint?: ReactNode;
}

function Labelled({ id, label, hint, children }: LabelledProps & { id: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-14 font-[500]">
        {label}
      </label>
      {hint !== undefined && (
        <span id={`${id}-hint`} className="text-13 text-muted">
          {hint}
        </span>
      )}
      {children}
    </div>
  );
}

type DenseFieldProps = LabelledProps & Omit<InputHTMLAttributes<HTMLInputElement>, "id" | "className">;

/** An input of a dialog with its label and hint. */
export function DenseField({ label, hint, ...input }: DenseFieldProps) {
  const id = useId();
  return (
    <Labelled id={id} label={label} hint={hint}>
      <input
        {...input}
        id={id}
        className="dense-box w-full"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
    </Labelled>
  );
}

type DenseSelectProps = LabelledProps &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, "id" | "className"> & {
    readonly options: readonly { readonly value: string; readonly words: string }[];
    /** The words of the choice that is none yet; left out where one is chosen from the start. */
    readonly placeholder?: string;
  };

/** A list to choose from in a dialog. */
export function DenseSelect({ label, hint, options, placeholder, ...select }: DenseSelectProps) {
  const id = useId();
  return (
    <Labelled id={id} label={label} hint={hint}>
      <select
        {...select}
        {...(placeholder !== undefined && { defaultValue: "" })}
        id={id}
        className="dense-box w-full"
      >
        {placeholder !== undefined && (
          <option value="" disabled>
            {placeholder}
          </option>
        )}
        {options.map(({ value, words }) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </Labelled>
  );
}
