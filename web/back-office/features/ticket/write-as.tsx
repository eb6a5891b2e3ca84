import { Lock, Send } from "lucide-react";
import type { DraftKind } from "./drafts.ts";

interface WriteAsProps {
  readonly kind: DraftKind;
  readonly onChange: (kind: DraftKind) => void;
}

const kinds = [
  { kind: "reply", words: "Reply to the customer", Icon: Send },
  { kind: "note", words: "Internal note", Icon: Lock },
] as const;

/** Who will read what is typed. Each has a draft of its own: a note never becomes a reply by a slip. */
export function WriteAs({ kind: chosen, onChange }: WriteAsProps) {
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">Who will read it</legend>
      {kinds.map(({ kind, words, Icon }) => (
        <label
          key={kind}
          className={`inline-flex min-h-9 cursor-pointer items-center gap-2 rounded-4 border px-3 text-13 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 ${
            kind === chosen ? "border-primary bg-tint font-[600]" : "border-hairline hover:border-field"
          }`}
        >
          <input
            type="radio"
            name="write-as"
            className="sr-only"
            checked={kind === chosen}
            onChange={() => onChange(kind)}
          />
          <Icon aria-hidden="true" className="size-3.5" strokeWidth={1.75} />
          {words}
        </label>
      ))}
    </fieldset>
  );
}
