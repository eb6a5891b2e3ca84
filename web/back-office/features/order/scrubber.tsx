import { useId } from "react";
import type { TimelineEntry } from "../../../../contract/order-desk/timeline.ts";
import { When } from "../../ui/when.tsx";

interface ScrubberProps {
  readonly entries: readonly TimelineEntry[];
  readonly asOf: number;
  readonly onLookAt: (revision: number) => void;
}

const moment = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/London",
  day: "numeric",
  month: "long",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** Goes back and forth in the order's life, an event a step: by dragging, or with the arrow keys, Home and End. */
export function Scrubber({ entries, asOf, onLookAt }: ScrubberProps) {
  const id = useId();
  const last = entries.length - 1;
  const entry = entries[asOf];
  const isNow = asOf === last;
  return (
    <div className="no-print flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-hairline pb-2.5">
      <label htmlFor={id} className="text-muted">
        As of
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={last}
        step={1}
        value={asOf}
        onChange={({ target }) => onLookAt(target.valueAsNumber)}
        aria-valuetext={
          entry &&
          `${isNow ? "Now, after" : "After"} event ${asOf + 1} of ${entries.length}: ${entry.title}, ${moment.format(new Date(entry.at))}`
        }
        className="h-6 min-w-32 flex-1 cursor-pointer accent-primary"
      />
      <output htmlFor={id} className="text-right sm:min-w-30 text-13">
        {isNow ? "now" : entry && <When at={entry.at} />}
      </output>
    </div>
  );
}
