import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";

interface FieldWords {
  readonly label: string;
  /** The label is only read out: what stands around the box says it to the eye. */
  readonly labelUnseen?: boolean;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

type Described = Readonly<{ id: string; describedBy: string | undefined; invalid: true | undefined }>;

function DenseFrame({
  label,
  labelUnseen = false,
  hint,
  error,
  children,
}: FieldWords & { children: (field: Described) => ReactNode }) {
  const id = useId();
  const describedBy = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className={labelUnseen ? "sr-only" : "text-14 font-[500]"}>
        {label}
      </label>
      {hint && (
        <div id={`${id}-hint`} className="text-13 text-muted">
          {hint}
        </div>
      )}
      {children({ id, describedBy: describedBy || undefined, invalid: error ? true : undefined })}
      {error && (
        <p id={`${id}-error`} className="text-13 font-[500] text-danger">
          <span className="sr-only">Error: </span>
          {error}
        </p>
      )}
    </div>
  );
}

/** A line of text in the back office's size, with label, hint and error. */
export function DenseField({
  label,
  labelUnseen = false,
  hint,
  error,
  className = "",
  ...input
}: FieldWords & Omit<InputHTMLAttributes<HTMLInputElement>, "id">) {
  return (
    <DenseFrame label={label} labelUnseen={labelUnseen} hint={hint} error={error}>
      {({ id, describedBy, invalid }) => (
        <input
          type="text"
          autoComplete="off"
          {...input}
          id={id}
          className={`dense-box ${className}`}
          aria-describedby={describedBy}
          aria-invalid={invalid}
        />
      )}
    </DenseFrame>
  );
}

/** The same for several lines. */
export function DenseArea({
  label,
  hint,
  error,
  ...area
}: FieldWords & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id" | "className">) {
  return (
    <DenseFrame label={label} hint={hint} error={error}>
      {({ id, describedBy, invalid }) => (
        <textarea
          {...area}
          id={id}
          className="dense-box py-1.5"
          aria-describedby={describedBy}
          aria-invalid={invalid}
        />
      )}
    </DenseFrame>
  );
}

interface DenseSelectProps
  extends FieldWords,
    Omit<SelectHTMLAttributes<HTMLSelectElement>, "id" | "className"> {
  readonly options: readonly { readonly value: string; readonly words: string }[];
  /** The words of the choice that is none yet; left out where one is chosen from the start. */
  readonly placeholder?: string;
}

/** The same for a list to choose from. */
export function DenseSelect({ label, hint, error, options, placeholder, ...select }: DenseSelectProps) {
  return (
    <DenseFrame label={label} hint={hint} error={error}>
      {({ id, describedBy, invalid }) => (
        <select
          {...select}
          {...(placeholder !== undefined && { defaultValue: "" })}
          id={id}
          className="dense-box"
          aria-describedby={describedBy}
          aria-invalid={invalid}
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
      )}
    </DenseFrame>
  );
}
