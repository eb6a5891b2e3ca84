import { type FormEvent, useState } from "react";
import type { Settings } from "../../../../../contract/settings/settings.ts";
import { daysAfter } from "../../../../../domain/calendar-date.ts";
import { certificateTypes as types } from "../../../../../domain/forms/options.ts";
import { formatPounds } from "../../../../../domain/pricing/money.ts";
import type { PriceList } from "../../../../../domain/pricing/price-list.ts";
import { PriceTables } from "../../../../ui/price-table.tsx";
import { DenseField } from "../../../ui/dense-field.tsx";
import { Panel } from "../../../ui/page-parts.tsx";
import type { ViewProps } from "../proposals.tsx";
import { FormEnd, penceIn, poundsText, SettingForm, type Typed, useTyped } from "../setting-form.tsx";
import { dayWords, priceLines, type SettingChange } from "../setting-history.tsx";

const levels = ["standard", "priority"] as const;
type Type = (typeof types)[number];
type Level = (typeof levels)[number];

interface TypedPrices {
  readonly effectiveFrom: string;
  readonly prices: Readonly<Record<Type, Readonly<Record<Level, string>>>>;
}

const inText = ({ standard, priority }: Readonly<Record<Level, number>>) => ({
  standard: poundsText(standard),
  priority: poundsText(priority),
});

/** Form values: the prices in force, without a date. */
function initialPrices({ prices }: Settings): TypedPrices | undefined {
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

const row = "grid grid-cols-[5.5rem_minmax(0,1fr)_minmax(0,1fr)] items-start gap-x-3";

function wrongPrice(text: string, level: Level, { leastPricePence }: Settings): string | undefined {
  const pence = penceIn(text);
  if (pence === undefined || pence > 1_000_00) return "Enter a price in pounds and pence";
  if (pence < leastPricePence[level]) return `Enter at least ${formatPounds(leastPricePence[level])}`;
  return undefined;
}

/** The price list entered; undefined while any price is invalid. */
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

/** The proposal to schedule a list. */
function schedulingOf({ effectiveFrom, unitPricePence }: PriceList, { prices }: Settings) {
  const replaced = prices.find((known) => known.effectiveFrom === effectiveFrom);
  const undo = ({ prices: after }: Settings): SettingChange | undefined => {
    if (replaced) return { path: "prices", body: { effectiveFrom, unitPricePence: replaced.unitPricePence } };
    const version = after.find((known) => known.effectiveFrom === effectiveFrom)?.version;
    return version === undefined ? undefined : { path: "prices/withdraw", body: { version } };
  };
  return {
    title: `Schedule new prices from ${dayWords(effectiveFrom)}?`,
    whatHappens: <WhatHappens list={{ version: 0, effectiveFrom, unitPricePence }} replaced={replaced} />,
    confirmLabel: "Schedule these prices",
    change: { path: "prices", body: { effectiveFrom, unitPricePence } },
    done: `New prices are scheduled for ${dayWords(effectiveFrom)}.`,
    undo,
  } as const;
}

/** Schedules new prices, with a preview. */
export function NewPrices({ settings, propose }: ViewProps) {
  const initial = initialPrices(settings);
  return initial ? <NewPricesForm settings={settings} propose={propose} initial={initial} /> : null;
}

function NewPricesForm({ settings, propose, initial }: ViewProps & { initial: TypedPrices }) {
  const typed = useTyped(initial, settings.revision);
  const [tried, setTried] = useState(false);
  const { effectiveFrom } = typed.value;
  const firstDay = daysAfter(settings.today, 1);
  const isDay = effectiveFrom >= firstDay;
  const list = listOf(typed.value, settings);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (!list || !isDay) return;
    const onDone = (): void => {
      typed.reset();
      setTried(false);
    };
    propose({ ...schedulingOf(list, settings), seen: typed.seen, onDone });
  };
  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,24rem)_minmax(0,1fr)]">
      <Panel title="Schedule new prices">
        <SettingForm className="flex flex-col gap-4" onSubmit={submit}>
          <DenseField
            label="Start date"
            hint={`Tomorrow (${dayWords(firstDay)}) or later. Prices already in force never change.`}
            error={tried && !isDay ? `Enter ${dayWords(firstDay)} or a later date` : undefined}
            type="date"
            min={firstDay}
            className="max-w-44"
            value={effectiveFrom}
            onChange={(event) => typed.set({ ...typed.value, effectiveFrom: event.target.value })}
          />
          <PriceBoxes typed={typed} settings={settings} tried={tried} />
          <FormEnd typed={typed} action="Review and schedule" />
        </SettingForm>
      </Panel>
      <Panel
        title={isDay ? `What customers will see from ${dayWords(effectiveFrom)}` : "What customers will see"}
      >
        {list ? (
          <PriceTables list={list} />
        ) : (
          <p className="text-muted">The preview appears once every price is above the GRO’s fees.</p>
        )}
      </Panel>
    </div>
  );
}

interface PriceBoxesProps {
  typed: Typed<TypedPrices>;
  settings: Settings;
  tried: boolean;
}

/** A price field for each type and service level. */
function PriceBoxes({ typed, settings, tried }: PriceBoxesProps) {
  const { prices } = typed.value;
  const set = (type: Type, level: Level, text: string): void =>
    typed.set({ ...typed.value, prices: { ...prices, [type]: { ...prices[type], [level]: text } } });
  return (
    <div className="flex flex-col gap-2">
      <div aria-hidden="true" className={`${row} font-[500]`}>
        <span />
        <span>Standard, £</span>
        <span>Priority, £</span>
      </div>
      {types.map((type) => (
        <div key={type} className={row}>
          <span aria-hidden="true" className="pt-1.5 font-[500]">
            {type}
          </span>
          {levels.map((level) => (
            <DenseField
              key={level}
              label={`${type}, ${level}, in pounds`}
              labelHidden
              error={tried ? wrongPrice(prices[type][level], level, settings) : undefined}
              inputMode="decimal"
              className="tabular-nums"
              value={prices[type][level]}
              onChange={(event) => set(type, level, event.target.value)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

function WhatHappens({ list, replaced }: { list: PriceList; replaced: PriceList | undefined }) {
  return (
    <>
      <p>From midnight (London time) on that day, customers see and pay:</p>
      <PriceLines list={list} />
      <p className="mt-2">
        Orders that already have a price keep it. You can withdraw the new prices until then.
      </p>
      {replaced && (
        <>
          <p className="mt-2">This replaces the prices already scheduled for that day:</p>
          <PriceLines list={replaced} />
        </>
      )}
    </>
  );
}

const PriceLines = ({ list }: { list: PriceList }) => (
  <ul className="mt-1 list-disc pl-5 text-ink">
    {priceLines(list).map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
);
