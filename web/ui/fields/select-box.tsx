import { ChevronDown } from "lucide-react";
import type { Ref, SelectHTMLAttributes } from "react";

type SelectBoxProps = SelectHTMLAttributes<HTMLSelectElement> & { ref?: Ref<HTMLSelectElement> };

/** A native select in our look. */
export function SelectBox({ className = "", ...select }: SelectBoxProps) {
  return (
    <span className={`relative block ${className}`}>
      <select {...select} className="field-box" />
      <ChevronDown
        aria-hidden="true"
        strokeWidth={1.75}
        className="pointer-events-none absolute top-1/2 right-2.5 size-5 -translate-y-1/2 text-muted"
      />
    </span>
  );
}
