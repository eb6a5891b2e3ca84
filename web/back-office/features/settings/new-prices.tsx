import { type FormEvent, useState } from "react";
import { formatPounds } from "../../../../domain/pricing/money.ts";
import type { PriceList } from "../../../../domain/pricing/price-list.ts";
import { PriceTables } from "../../../ui/price-table.tsx";
import type { Settings } from "../../api/get-settings.ts";
import { Panel } from "../../ui/panel.tsx";
import { dayWords, priceWords } from "./change-words.ts";
import { DenseField } from "./dense-field.tsx";
import { FormEnd } from "./form-end.tsx";
import { penceIn, poundsText } from "./pounds-text.ts";
import type { ViewProps } from "./settings-page.tsx";
import { useTyped } from "./use-typed.ts";

const types = ["Birth", "Death", "Marriage", "Adoption"] as const;
const levels = ["standard", "priority"] as const;
type Type = (typeof types)[number];
type Level = (typeof levels)[number];

interface TypedPrices {
  readonly effectiveFrom: string;
  readonly prices: Readonly<Record<Type, Readonly<Record<Level, string>>>>;
}

/** The day after an ISO day. */
const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

const inText = ({ standard, priority }: Readonly<Record<Level, number>>) => ({
  standard: poundsText(standard),
  priority: poundsText(priority),
});

/** The prices in force, to be changed, from no day yet. */
function beginningFrom({ prices }: Settings): TypedPrices | undefined {
  const unit = prices.find(({ state }) => state === "inForce")?.unitPricePence;
  return (
    unit && {
      effectiveFrom: "",
      prices: {
        Birth: inText(unit.Birth),
        Death: inText(unit.Death),
        Marriage: inText(unit.Marriage),
        Adoption: inText(unit.Adoption),
      },
    }
  );
}

/** What is wrong with a price, or undefined. */
function wrongPrice(text: string, level: Level, { leastPricePence }: Settings): string | undefined {
  const pence = penceIn(text);
  if (pence === undefined || pence > 1_000_00) return "Enter a price in pounds and pence";
  if (pence < leastPricePence[level]) return `At least ${formatPounds(leastPricePence[level])}`;
  return undefined;
}

/** The list that was typed, once all of it is right. */
function listOf(typed: TypedPrices, settings: Settings): PriceList | undefined {
  const pence = (type: Type, level: Level): number => penceIn(typed.prices[type][level]) ?? 0;
  const both = (type: Type) => ({ standard: pence(type, "standard"), priority: pence(type, "priority") });
  const isWrong = types.some((type) =>
    levels.some((level) => wrongPrice(typed.prices[type][level], level, settings) !== undefined),
  );
  if (isWrong) return undefined;
  return {
    version: 0,
    effectiveFrom: typed.effectiveFrom,
    unitPricePence: {
      Birth: both("Birth"),
      Death: both("Death"),
      Marriage: both("Marriage"),
      Adoption: both("Adoption"),
    },
  };
}

/** New prices from a day to come, with what customers will see. */
export function NewPrices({ settings, propose }: ViewProps) {
  const beginning = beginningFrom(settings);
  return beginning ? <NewPricesForm settings={settings} propose={propose} beginning={beginning} /> : null;
}

function NewPricesForm({ settings, propose, beginning }: ViewProps & { beginning: TypedPrices }) {
  const typed = useTyped(beginning, settings.revision);
  const [tried, setTried] = useState(false);
  const { effectiveFrom, prices } = typed.value;
  const firstDay = dayAfter(settings.today);
  const isDay = effectiveFrom >= firstDay;
  const list = listOf(typed.value, settings);
  const replaced = settings.prices.find((known) => known.effectiveFrom === effectiveFrom);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (!list || !isDay) return;
    propose({
      title: `New prices from ${dayWords(effectiveFrom)}?`,
      whatHappens: `From midnight in London customers see and pay: ${priceWords(list)}. Orders that have a price by then keep it. ${replaced ? `This takes the place of the prices scheduled for that day (${priceWords(replaced)}). ` : ""}You can withdraw it until then.`,
      confirmLabel: "Schedule these prices",
      change: { path: "prices", body: { effectiveFrom, unitPricePence: list.unitPricePence } },
      seen: typed.seen,
      onDone: () => {
        typed.reset();
        setTried(false);
      },
      done: `New prices are scheduled for ${dayWords(effectiveFrom)}.`,
      undo: ({ prices: after }) => {
        if (replaced)
          return { path: "prices", body: { effectiveFrom, unitPricePence: replaced.unitPricePence } };
        const version = after.find((known) => known.effectiveFrom === effectiveFrom)?.version;
        return version === undefined ? undefined : { path: "prices/withdraw", body: { version } };
      },
    });
  };
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <Panel title="Schedule new prices">
        <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
          <DenseField
            label="First day"
            hint={`Tomorrow (${dayWords(firstDay)}) or later. A list that is in force is never changed.`}
            error={tried && !isDay ? `Enter ${dayWords(firstDay)} or a later day` : undefined}
            type="date"
            min={firstDay}
            className="max-w-44"
            value={effectiveFrom}
            onChange={(event) => typed.set({ ...typed.value, effectiveFrom: event.target.value })}
          />
          {types.map((type) => (
            <fieldset key={type} className="grid grid-cols-2 gap-4 sm:max-w-md">
              <legend className="mb-1 font-[600]">{type}</legend>
              {levels.map((level) => (
                <DenseField
                  key={level}
                  label={level === "standard" ? "Standard, £" : "Priority, £"}
                  error={tried ? wrongPrice(prices[type][level], level, settings) : undefined}
                  inputMode="decimal"
                  className="tabular-nums"
                  value={prices[type][level]}
                  onChange={(event) =>
                    typed.set({
                      ...typed.value,
                      prices: { ...prices, [type]: { ...prices[type], [level]: event.target.value } },
                    })
                  }
                />
              ))}
            </fieldset>
          ))}
          <FormEnd typed={typed} action="Review and schedule" />
        </form>
      </Panel>
      <Panel
        title={isDay ? `What customers will see from ${dayWords(effectiveFrom)}` : "What customers will see"}
      >
        {list ? (
          <PriceTables list={list} />
        ) : (
          <p className="text-muted">
            The preview appears once every price is an amount above the GRO’s fees.
          </p>
        )}
      </Panel>
    </div>
  );
}
