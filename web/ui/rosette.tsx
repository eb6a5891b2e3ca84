import { useMemo } from "react";
import { guilloche } from "./guilloche.ts";

/** A guilloché drawn from a fingerprint. Ornament: the fingerprint itself stands in the text beside it. */
export function Rosette({ fingerprint, className = "" }: { fingerprint: string; className?: string }) {
  const bands = useMemo(() => guilloche(fingerprint), [fingerprint]);
  return (
    <svg viewBox="0 0 200 200" aria-hidden="true" focusable="false" className={`text-primary ${className}`}>
      <g fill="none" stroke="currentColor" strokeLinejoin="round">
        {bands.map(({ path, width }) => (
          <path key={path.slice(0, 24)} d={path} strokeWidth={width} />
        ))}
      </g>
    </svg>
  );
}
