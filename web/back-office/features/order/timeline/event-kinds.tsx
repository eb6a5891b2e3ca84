import { EyeOff, Landmark, type LucideIcon, PoundSterling, User, UserCog } from "lucide-react";
import type { EventKind } from "../../../../../contract/staff-orders/timeline.ts";

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

export function KindMark({ kind }: { kind: EventKind }) {
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
