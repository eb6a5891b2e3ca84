import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";
import { todayInLondon } from "../../ui/dates.ts";

interface FieldWords {
  readonly label: string;
  /** Shows the label to screen readers only. */
  readonly labelHidden?: boolean;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

type Described = Readonly<{ id: string; describedBy: string | undefined; invalid: true | undefined }>;

function DenseFrame({
  label,
  labelHidden = false,
  hint,
  error,
  children,
}: FieldWords & { children: (field: Described) => ReactNode }) {
  const id = useId();
  const describedBy = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className={labelHidden ? "sr-only" : "text-14 font-[500]"}>
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

/** A dense text input with label, hint and error. */
export function DenseField({
  label,
  labelHidden = false,
  hint,
  error,
  className = "",
  ...input
}: FieldWords & Omit<InputHTMLAttributes<HTMLInputElement>, "id">) {
  return (
    <DenseFrame label={label} labelHidden={labelHidden} hint={hint} error={error}>
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

/** A dense text area. */
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
  /** Shown until a choice is made; omit when there is a default. */
  readonly placeholder?: string;
}

export function DenseSelect({ label, hint, error, options, placeholder, ...select }: DenseSelectProps) {
  return (
    <DenseFrame label={label} hint={hint} error={error}>
      {({ id, describedBy, invalid }) => (
        <select
          {...select}
          {...(placeholder !== undefined && { defaultValue: select.defaultValue ?? "" })}
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

/** The day of despatch: today in London or earlier. */
export function DespatchField() {
  const today = todayInLondon();
  return (
    <DenseField
      label="Despatched on"
      type="date"
      name={despatchDayName}
      required
      max={today}
      defaultValue={today}
    />
  );
}

/** Name of the date field in a dialog that records a despatch. */
const despatchDayName = "dispatchedOn";

/** Noon of the day entered, or `now` if that is earlier. Invalid text passes through for the server to reject. */
export function despatchMoment(fields: FormData, now: Date): string {
  const typed = fields.get(despatchDayName);
  const day = typeof typed === "string" ? typed : "";
  const noon = new Date(`${day}T12:00:00.000Z`);
  if (Number.isNaN(noon.getTime())) return day;
  return (noon > now ? now : noon).toISOString();
}
