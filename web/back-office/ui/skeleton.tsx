const widths = ["62%", "84%", "48%", "71%", "39%"] as const;

/** Lines in the place of text that is on its way; they keep the layout. Silent: `label` is read out once, by the page. */
export function Skeleton({ lines = 3, label }: { lines?: number; label?: string }) {
  return (
    <div className="flex flex-col gap-3 py-1" role={label ? "status" : undefined}>
      {label && <span className="sr-only">{label}</span>}
      {Array.from({ length: lines }, (_, line) => (
        <svg
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never move.
          key={line}
          aria-hidden="true"
          className="skeleton-line"
          width={widths[line % widths.length]}
          height="10"
        />
      ))}
    </div>
  );
}
