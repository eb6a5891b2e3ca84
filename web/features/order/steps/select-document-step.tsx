import { Check } from "lucide-react";
import { useEffect, useState } from "react";
import { Link } from "react-router-dom";
import { copiesLabel, quantities } from "../../../../domain/forms/options.ts";
import { serviceTypeOf } from "../../../../domain/forms/order-payload.ts";
import { formatPounds } from "../../../../domain/pricing/money.ts";
import { processingMeaning, processingWords } from "../../../../domain/promise/timetable.ts";
import { draftStore, useDraft } from "../../../ordering/current-order.ts";
import type { Draft, DraftType } from "../../../ordering/draft/draft.ts";
import { stepNames } from "../../../ordering/draft/steps.ts";
import { QuestionCard, StepForm } from "../../../ordering/questions/step-form.tsx";
import { pages } from "../../../paths.ts";
import { useOrderable } from "../../../site/config.ts";
import type { UnitPrices } from "../../../site/prices.ts";
import { SelectField } from "../../../ui/fields/choice-fields.tsx";
import { PageHeading } from "../../../ui/page-heading.tsx";
import { DespatchLine, HonestPrice } from "../../../ui/price-notes.tsx";
import type { StepProps } from "../wizard.tsx";
import { costOf, useWizardPrices } from "../wizard.tsx";

const copyOptions = quantities.map((number) => ({ value: String(number), words: copiesLabel(number) }));
const usualCopies = 1;

/** Step 1: which certificate, how many copies, how fast. */
export default function SelectDocumentStep({ navigation }: StepProps) {
  const draft = useDraft();
  const { certificateOptions: options, certificateType } = draft;
  const { loading, unitPrices } = useWizardPrices();
  const copies = options.fullCertificates;
  const isOrderable = useOrderable()(certificateType);
  const prices = unitPrices(certificateType);
  const { unitPence } = costOf(draft, prices);
  const choose = (part: Choice): void => save(draft, { copies, ...part });
  // A type is always selected here, with at least one copy: the summary counts what the page shows.
  useEffect(() => {
    const stored = draftStore.current();
    if (stored.certificateOptions.fullCertificates === 0) save(stored, { type: stored.certificateType });
  }, []);
  return (
    <>
      <PageHeading title="Select Document">Select Document Type</PageHeading>
      <p className="mt-3 max-w-measure text-18 text-muted">
        Choose the type of certificate you need to file. We'll help you through the entire process quickly and
        securely.
      </p>
      <StepForm
        errors={[]}
        attempt={0}
        action={`Continue to ${stepNames[navigation.following - 1]}`}
        disabled={copies === 0 || !isOrderable}
        onSubmit={(event) => {
          event.preventDefault();
          choose({});
          navigation.next();
        }}
      >
        <TypeCards selected={certificateType} onSelect={(type) => choose({ type })} />
        <QuestionCard title="Certificate Options">
          <CopiesField copies={copies} onSelect={(chosen) => choose({ copies: chosen })} />
          <ServiceLevelCards
            prices={prices}
            loading={loading}
            isPriority={options.isPriority}
            onSelect={(isPriority) => choose({ isPriority })}
          />
        </QuestionCard>
        <HonestPrice chosen={{ level: options.isPriority ? "priority" : "standard", unitPence }} />
      </StepForm>
    </>
  );
}

/** 1 to 5, or none. */
function CopiesField({ copies, onSelect }: { copies: number; onSelect: (copies: number) => void }) {
  return (
    <div>
      <div className="max-w-64">
        <SelectField
          id="copies"
          label="Number of Copies"
          options={copyOptions}
          placeholder="Copies"
          value={copies === 0 ? "" : String(copies)}
          onChange={(event) => onSelect(Number(event.target.value))}
        />
      </div>
      <p className="mt-2 text-14 text-muted">
        Full certified copies.{" "}
        <Link className="link" to={`${pages.services}#what-you-get`}>
          See what you get
        </Link>
      </p>
    </div>
  );
}

interface Choice {
  type?: DraftType;
  copies?: number;
  isPriority?: boolean;
}

/** Saves each choice at once; choosing a type without copies means one copy. */
function save(
  draft: Draft,
  { type, copies = draft.certificateOptions.fullCertificates, isPriority }: Choice,
): void {
  const priority = isPriority ?? draft.certificateOptions.isPriority;
  const isOther = type !== undefined && type !== draft.certificateType && draft.others.length === 0;
  draftStore.update({
    certificateType: type ?? draft.certificateType,
    // What was saved of the other certificate stays, for its link.
    savedKeys: isOther ? [] : draft.savedKeys,
    certificateOptions: {
      ...draft.certificateOptions,
      fullCertificates: type !== undefined && copies === 0 ? usualCopies : copies,
      isPriority: priority,
      serviceType: serviceTypeOf(priority),
    },
  });
}

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
function TypeCards({ selected, onSelect }: { selected: DraftType; onSelect: (type: DraftType) => void }) {
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
function ServiceLevelCards({ prices, loading, isPriority, onSelect }: ServiceLevelCardsProps) {
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
