import { EyeOff, Landmark, type LucideIcon, PoundSterling, User, UserCog } from "lucide-react";
import { useId } from "react";
import type { EventKind, TimelineEntry } from "../../../../../contract/staff-orders/order-page.ts";
import { When } from "../../../ui/values.tsx";
import { Changes } from "./state-panel.tsx";

const day = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "Europe/London",
});

/** Entries grouped by day in London, newest first. */
function byDay(entries: readonly TimelineEntry[]): (readonly [string, readonly TimelineEntry[]])[] {
  const days = Map.groupBy([...entries].reverse(), ({ at }) => day.format(new Date(at)));
  return [...days];
}

interface TimelineProps {
  readonly entries: readonly TimelineEntry[];
  /** The revision shown; later events are hidden. */
  readonly asOf: number;
  readonly onSelect: (revision: number) => void;
}

/** The order's events up to the revision shown. */
export function Timeline({ entries, asOf, onSelect }: TimelineProps) {
  const happened = entries.filter(({ revision }) => revision <= asOf);
  const later = entries.length - happened.length;
  return (
    <>
      {later > 0 && (
        <p className="no-print border-b border-hairline py-2.5 text-13 text-muted">
          {later === 1 ? "One later event is" : `${later} later events are`} not shown.
        </p>
      )}
      {byDay(happened).map(([date, onThatDay]) => (
        <section key={date} aria-label={date} className="mt-4 first:mt-2">
          <h3 className="text-13 text-muted">{date}</h3>
          <ol reversed start={(onThatDay[0]?.revision ?? 0) + 1} className="mt-1">
            {onThatDay.map((entry) => (
              <Entry key={entry.id} entry={entry} selected={entry.revision === asOf} onSelect={onSelect} />
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

const sourceWords = {
  browser: "browser",
  "back office": "back office",
  "by itself": "automatic",
  notice: "webhook",
} as const;

interface EntryProps {
  readonly entry: TimelineEntry;
  readonly selected: boolean;
  readonly onSelect: (revision: number) => void;
}

function Entry({ entry, selected, onSelect }: EntryProps) {
  const { kind, at, title, detail, type, actor, source, revision, reason } = entry;
  return (
    <li
      data-revision={revision}
      aria-current={selected || undefined}
      className="keep-together relative grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3 border-b border-hairline py-2.5 aria-[current]:bg-tint/50 sm:grid-cols-[1.5rem_4.25rem_minmax(0,1fr)]"
    >
      <KindMark kind={kind} />
      <span className="pt-0.5 text-13 text-muted max-sm:hidden">
        <When at={at} show="time" />
      </span>
      <div className="min-w-0">
        <p className="wrap-anywhere sm:pr-28">
          <strong className="font-[600]">{title}</strong>
          {detail !== null && `, ${detail}`}
        </p>
        <p className="text-13 wrap-anywhere text-muted">
          <span className="sm:hidden">
            <When at={at} show="time" /> ·{" "}
          </span>
          {[
            type,
            actor.kind === "system" ? "automatic" : `${actor.name}, ${sourceWords[source]}`,
            `revision ${revision}`,
          ].join(" · ")}
          {reason !== null && <span> · reason: {reason}</span>}
        </p>
        <Details entry={entry} onSelect={onSelect} />
      </div>
    </li>
  );
}

function Details({ entry, onSelect }: Omit<EntryProps, "selected">) {
  return (
    <details className="no-print mt-0.5 text-13">
      <summary className="inline-flex min-h-6 cursor-pointer items-center px-1 text-primary hover:underline sm:absolute sm:top-2.5 sm:right-1">
        Details<span className="sr-only"> of event, revision {entry.revision}</span>
      </summary>
      <div className="mt-2 mb-1 flex flex-col gap-3">
        <Changes changes={entry.changes} />
        <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-3 gap-y-1 sm:grid-cols-[8.5rem_minmax(0,1fr)] sm:gap-x-4">
          <Id name="Event" value={entry.id} />
          <Id name="Correlation" value={entry.correlationId} />
          {entry.causationId !== null && <Id name="Caused by" value={entry.causationId} />}
          <Id name={`Actor (${entry.actor.kind})`} value={entry.actor.id} />
        </dl>
        <button
          type="button"
          className="button button-dense button-outlined self-start"
          onClick={() => onSelect(entry.revision)}
        >
          Show the order at this point
        </button>
        <RawEvent type={entry.type} raw={entry.raw} />
      </div>
    </details>
  );
}

function RawEvent({ type, raw }: { type: string; raw: unknown }) {
  return (
    <section
      aria-label={`Raw event ${type}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard.
      tabIndex={0}
      className="max-h-80 overflow-auto rounded-4 border border-hairline bg-surface p-3"
    >
      <pre className="font-mono text-[0.75rem] leading-normal">{JSON.stringify(raw, null, 2)}</pre>
    </section>
  );
}

function Id({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="figures wrap-anywhere">{value}</dd>
    </>
  );
}

interface ScrubberProps {
  readonly entries: readonly TimelineEntry[];
  readonly asOf: number;
  readonly onSelect: (revision: number) => void;
}

const moment = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/London",
  day: "numeric",
  month: "long",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** Steps through the order's events, by dragging or with the arrow keys, Home and End. */
export function Scrubber({ entries, asOf, onSelect }: ScrubberProps) {
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
        onChange={({ target }) => onSelect(target.valueAsNumber)}
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

interface KindLook {
  readonly words: string;
  readonly Icon: LucideIcon;
  /** Text and background, for both themes. */
  readonly colours: string;
}

/** Colour, icon and name are redundant, for accessibility. */
const kindLooks: Readonly<Record<EventKind, KindLook>> = {
  customer: { words: "Customer", Icon: User, colours: "bg-processing-ground text-processing" },
  money: { words: "Money", Icon: PoundSterling, colours: "bg-tint text-primary" },
  gro: { words: "GRO", Icon: Landmark, colours: "bg-pending-ground text-pending" },
  staff: { words: "Staff", Icon: UserCog, colours: "bg-failed-ground text-failed" },
  privacy: { words: "Privacy", Icon: EyeOff, colours: "bg-fulfilled-ground text-fulfilled" },
};

function KindMark({ kind }: { kind: EventKind }) {
  const { words, Icon, colours } = kindLooks[kind];
  return (
    <span className={`grid size-6 flex-none place-items-center rounded-4 ${colours}`} title={words}>
      <Icon aria-hidden="true" className="size-3.5" strokeWidth={1.75} />
      <span className="sr-only">{words}: </span>
    </span>
  );
}

export function KindKey() {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-13 text-muted" aria-label="Event kinds">
      {Object.entries(kindLooks).map(([kind, { words, Icon, colours }]) => (
        <li key={kind} className="flex items-center gap-1.5">
          <span className={`grid size-4.5 place-items-center rounded-4 ${colours}`}>
            <Icon aria-hidden="true" className="size-3" strokeWidth={1.75} />
          </span>
          {words}
        </li>
      ))}
    </ul>
  );
}
