import { Check } from "lucide-react";
import { useState } from "react";
import type { DraftType } from "../../../ordering/draft/draft.ts";
import { useOrderable } from "../../../site/config.ts";

interface TypeCard {
  type: DraftType;
  text: string;
}

const offered: readonly TypeCard[] = [
  { type: "Birth", text: "File for birth certificates for yourself or family members." },
  { type: "Death", text: "File for death certificates for family members." },
];

/** Types shown only if a link has pre-selected them. */
const preselectable: readonly TypeCard[] = [
  { type: "Marriage", text: "File for marriage certificates for yourself or family members." },
  { type: "Adoption", text: "File for adoption certificates for yourself or family members." },
];

/** The pre-selected card stays beside the other two while this step is open, so it can be chosen again. */
function useThirdCard(selected: DraftType): TypeCard | undefined {
  const [kept, keep] = useState<TypeCard>();
  const third = preselectable.find(({ type }) => type === selected);
  if (third && third !== kept) keep(third);
  return third ?? kept;
}

/** The types as cards: radio buttons with a check mark on the selected one. */
export function TypeCards({
  selected,
  onSelect,
}: {
  selected: DraftType;
  onSelect: (type: DraftType) => void;
}) {
  const third = useThirdCard(selected);
  const cards = third ? [...offered, third] : offered;
  const isOrderable = useOrderable();
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Document type</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        {cards.map(({ type, text }) => (
          <label
            key={type}
            className="choice-card sm:last:odd:col-span-2"
            data-selected={selected === type && isOrderable(type)}
            data-off={!isOrderable(type)}
          >
            {/* Clicking the selected card is a choice too, hence onClick beside onChange. */}
            <input
              type="radio"
              name="certificate-type"
              value={type}
              checked={selected === type && isOrderable(type)}
              disabled={!isOrderable(type)}
              onChange={() => onSelect(type)}
              onClick={() => onSelect(type)}
              aria-labelledby={`type-${type}`}
              aria-describedby={`type-${type}-text`}
              className="choice-input"
            />
            <span id={`type-${type}`} className="block pr-8 font-display text-22 tracking-tight">
              {type} Certificate
            </span>
            <span id={`type-${type}-text`} className="mt-1.5 block text-muted">
              {isOrderable(type) ? text : "Cannot be ordered here at the moment."}
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
