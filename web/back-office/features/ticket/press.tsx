interface PressProps {
  readonly words: string;
  readonly busy: boolean;
  readonly primary?: boolean;
  readonly onPress: () => void;
}

export function Press({ words, busy, primary = false, onPress }: PressProps) {
  return (
    <button
      type="button"
      className={`button button-dense ${primary ? "button-primary" : "button-outlined"}`}
      disabled={busy}
      onClick={onPress}
    >
      {words}
    </button>
  );
}

/** Error message, announced by screen readers. */
export function Refusal({ words, id }: { words: string | null; id?: string }) {
  if (words === null) return null;
  return (
    <p id={id} role="alert" className="mt-2 border-l-3 border-danger pl-3 text-14 font-[500] text-danger">
      {words}
    </p>
  );
}
