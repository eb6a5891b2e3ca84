import { useEffect, useRef } from "react";

/** One error in words, and the id of the control to mend it in; without one when the server alone knows. */
export interface SummaryError {
  id?: string;
  message: string;
}

/**
 * The errors of a form above it, in the words beside the fields, each a link to its field.
 * Takes focus whenever `attempt` changes, that is when Continue was pressed and refused.
 */
export function ErrorSummary({ errors, attempt }: { errors: readonly SummaryError[]; attempt: number }) {
  const box = useRef<HTMLDivElement>(null);
  const focused = useRef(0);
  const shown = errors.length > 0;
  // The errors may come a render after the attempt that found them; each attempt takes the focus once.
  useEffect(() => {
    if (!shown || focused.current === attempt) return;
    focused.current = attempt;
    box.current?.focus();
  }, [attempt, shown]);
  if (!shown) return null;
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="alert"
      aria-labelledby="error-summary"
      className="mb-6 rounded-4 border-2 border-danger bg-surface p-5"
    >
      <h2 id="error-summary" className="text-22">
        There is a problem
      </h2>
      <ul className="mt-3 space-y-1.5">
        {errors.map(({ id, message }) => (
          <li key={`${id}${message}`} className="font-[600] text-danger">
            {id ? (
              <a
                className="underline underline-offset-4"
                href={`#${id}`}
                onClick={(event) => focusField(event, id)}
              >
                {message}
              </a>
            ) : (
              message
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The link focuses the control itself, and brings into view what names it: its label, or the question of a group. */
function focusField(event: React.MouseEvent, id: string): void {
  const control = document.getElementById(id);
  if (!control) return;
  event.preventDefault();
  const escaped = CSS.escape(id);
  const group = control.closest(`fieldset[aria-describedby~="${escaped}-error"]`);
  (group ?? document.querySelector(`label[for="${escaped}"]`) ?? control).scrollIntoView();
  control.focus({ preventScroll: true });
}
