import type { ButtonHTMLAttributes, MouseEvent } from "react";

interface BusyButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "disabled"> {
  /** Presses do nothing meanwhile. */
  readonly busy: boolean;
}

/** A button that keeps the focus while its work is under way. One that is `disabled` loses it. */
export function BusyButton({ busy, onClick, ...button }: BusyButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>): void => {
    // Also stops the form of a submit button, and Enter in its fields.
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return <button type="button" {...button} aria-disabled={busy || undefined} onClick={press} />;
}
