interface MaskedProps {
  /** What is shown; null while it is hidden. */
  value: string | null;
  /** True once it was destroyed: nothing can bring it back. */
  destroyed?: boolean;
  /** Roughly how long the hidden text would be, in characters. The real length would tell something. */
  length?: number;
}

/** Personal data: hidden until it is revealed with a reason, and a plain word once it is destroyed. */
export function Masked({ value, destroyed = false, length = 14 }: MaskedProps) {
  if (destroyed) return <span className="text-muted italic">destroyed</span>;
  if (value !== null) return <span className="wrap-anywhere whitespace-pre-line">{value}</span>;
  return (
    <span>
      <svg className="hatched" width={`${length * 0.55}em`} height="1em" aria-hidden="true" />
      <span className="sr-only">hidden</span>
    </span>
  );
}
