import type { ReactNode } from "react";
import { FieldNotes } from "./field-frame.tsx";

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
