import { Check } from "lucide-react";
import type { DraftType } from "../../../draft/draft.ts";

const cards = [
  {
    type: "Birth",
    title: "Birth Certificate",
    text: "File for birth certificates for yourself or family members.",
  },
  { type: "Death", title: "Death Certificate", text: "File for death certificates for family members." },
] as const;

/** The two types as cards: radio buttons with a check mark on the selected one. */
export function TypeCards({
  selected,
  onSelect,
}: {
  selected: DraftType;
  onSelect: (type: DraftType) => void;
}) {
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Document type</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        {cards.map(({ type, title, text }) => (
          <label key={type} className="choice-card" data-selected={selected === type}>
            {/* A click on the card that is already selected is a choice too, hence onClick beside onChange. */}
            <input
              type="radio"
              name="certificate-type"
              value={type}
              checked={selected === type}
              onChange={() => onSelect(type)}
              onClick={() => onSelect(type)}
              aria-labelledby={`type-${type}`}
              aria-describedby={`type-${type}-text`}
              className="choice-input"
            />
            <span id={`type-${type}`} className="block pr-8 font-display text-22 tracking-tight">
              {title}
            </span>
            <span id={`type-${type}-text`} className="mt-1.5 block text-muted">
              {text}
            </span>
            <span className="choice-check" aria-hidden="true">
              <Check className="size-4" strokeWidth={2.5} />
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
