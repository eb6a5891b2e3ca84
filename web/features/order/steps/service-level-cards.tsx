import { Check } from "lucide-react";
import { formatPounds } from "../../../../domain/pricing/money.ts";
import { processingMeaning, processingWords } from "../../../../domain/promise/timetable.ts";
import type { UnitPrices } from "../../../site/prices.ts";
import { DespatchLine } from "../../../ui/despatch-line.tsx";

interface ServiceLevelCardsProps {
  prices: UnitPrices;
  loading: boolean;
  isPriority: boolean;
  onSelect: (isPriority: boolean) => void;
}

const levels = [
  {
    isPriority: false,
    name: "Standard",
    processing: processingWords("standard"),
    included: "Included in base price",
    price: (prices: UnitPrices) => prices.standard,
  },
  {
    isPriority: true,
    name: "Priority",
    processing: processingWords("priority"),
    included: "",
    price: (prices: UnitPrices) => prices.priority,
  },
] as const;

/** Standard or Priority, each with its price and the day of despatch. */
export function ServiceLevelCards({ prices, loading, isPriority, onSelect }: ServiceLevelCardsProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="font-[600]">Service Level</legend>
      <div className="mt-2 grid gap-4 sm:grid-cols-2">
        {levels.map((level) => (
          <label key={level.name} className="choice-card" data-selected={level.isPriority === isPriority}>
            <input
              type="radio"
              name="service-level"
              value={level.name}
              checked={level.isPriority === isPriority}
              onChange={() => onSelect(level.isPriority)}
              aria-labelledby={`level-${level.name}`}
              aria-describedby={`level-${level.name}-text`}
              className="choice-input"
            />
            <span id={`level-${level.name}`} className="block pr-8 font-[600]">
              {level.name}
            </span>
            <span id={`level-${level.name}-text`} className="mt-1 block text-14 text-muted">
              <span className="block">{level.processing}</span>
              {level.included && <span className="block">{level.included}</span>}
              <Price loading={loading} pounds={level.price(prices)} />
            </span>
            <span className="choice-check" aria-hidden="true">
              <Check className="size-4" strokeWidth={2.5} />
            </span>
          </label>
        ))}
      </div>
      <DespatchLine serviceLevel={isPriority ? "priority" : "standard"} className="mt-3 text-14" />
      <p className="mt-1.5 text-14 text-muted">{processingMeaning}</p>
    </fieldset>
  );
}

function Price({ loading, pounds }: { loading: boolean; pounds: number }) {
  if (loading) {
    return (
      <span className="mt-1.5 flex items-center gap-2 text-ink" role="status">
        <span className="spinner" aria-hidden="true" />
        Loading pricing...
      </span>
    );
  }
  return (
    <span className="mt-1.5 block text-ink">
      <span className="figures text-16 font-[600]">{formatPounds(Math.round(pounds * 100))}</span> per
      certificate
    </span>
  );
}
