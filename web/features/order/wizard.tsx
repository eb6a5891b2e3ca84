import { Check } from "lucide-react";
import { useLayoutEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { valueAt } from "../../../domain/certificates/certificate.ts";
import { penceOf } from "../../../domain/pricing/money.ts";
import { draftStore, isPaid, useDraft } from "../../ordering/current-order.ts";
import { certificatesOf } from "../../ordering/draft/basket.ts";
import type { Draft, DraftCertificate, DraftType } from "../../ordering/draft/draft.ts";
import { furthestStep, stepNames } from "../../ordering/draft/steps.ts";
import { pages } from "../../paths.ts";
import { usePriceList, usePrices } from "../../site/config.ts";
import { pricesIn, type UnitPrices } from "../../site/prices.ts";
import { todayInLondon } from "../../ui/dates.ts";

// What the steps share: moving between them, the prices, and the rail above them.

/** Moves between the steps. Each move is a history entry, so Back and reload work as expected. */
interface StepNavigation {
  step: number;
  /** The furthest step that may be opened. */
  furthest: number;
  goTo: (step: number, returnTo?: number) => void;
  /** To the first step of another certificate. */
  addAnother: () => void;
  /** The step after this one: Your Details are asked for once, with the first certificate. */
  following: number;
  /** To the following step, or back to the review if a Change link led here. */
  next: () => void;
  /** To the step before; of another certificate, past Your Details. */
  previous: () => void;
  /** True once charged: no step can be reopened. */
  paid: boolean;
  notePaid: () => void;
}

/** Props of every step. */
export interface StepProps {
  navigation: StepNavigation;
}

const certificateStep = 3;
const reviewStep = 4;
const paymentStep = 5;

/** The open step: from the history entry, else from the draft; never beyond the furthest allowed. */
export function useStepNavigation(draft: Draft): StepNavigation {
  const location = useLocation();
  const navigate = useNavigate();
  const [paid, setPaid] = useState(isPaid);
  const furthest = furthestStep(draft, todayInLondon());
  const noted = entryIn(location.state);
  // A later entry than the answers allow is of an order that is placed by now: the draft says where to go on.
  const open =
    noted.step !== undefined && noted.step <= furthest ? noted.step : Math.min(draft.step, furthest);
  const step = isPaid() ? paymentStep : open;
  const { returnTo } = noted;
  useLayoutEffect(() => arriveAt(step, noted.place), [step, noted.place]);
  const visit = (entry: Entry & { step: number }): void => {
    // Going back would only lead to paying again.
    if (isPaid()) return;
    draftStore.update({ step: entry.step });
    // The entry being left must record what it shows, or Back would open the draft's latest.
    if (noted.step !== step || noted.place !== draft.place)
      void navigate(pages.order, { replace: true, state: { step, place: draft.place, returnTo } });
    void navigate(pages.order, { state: entry });
    window.scrollTo(0, 0);
  };
  const goTo = (wanted: number, back?: number): void =>
    visit({ step: wanted, place: draftStore.current().place, returnTo: back });
  const keepsDetails = step === 1 && draft.others.length > 0 && furthest >= certificateStep;
  const following = keepsDetails ? certificateStep : step + 1;
  return {
    step,
    furthest,
    goTo,
    addAnother: () => visit({ step: 1, place: draft.others.length + 1 }),
    following,
    next: () => goTo(returnTo ?? following),
    previous: () => goTo(step === certificateStep && draft.others.length > 0 ? 1 : step - 1),
    paid,
    notePaid: () => setPaid(true),
  };
}

/** What a history entry opens: a step, and the certificate at a place. One past the last is another certificate. */
interface Entry {
  step?: number | undefined;
  place?: number | undefined;
  returnTo?: number | undefined;
}

/**
 * Opens the certificate of the entry that Back, Forward or a button led to. Another one that was begun is given up by
 * going to the review before anything was answered about it.
 */
function arriveAt(step: number, place: number | undefined): void {
  const draft = draftStore.current();
  if (step === reviewStep) draftStore.removeUnanswered();
  if (step >= reviewStep || place === undefined || place === draft.place) return;
  if (place <= draft.others.length) draftStore.open(place);
  else if (step === 1 && furthestStep(draft, todayInLondon()) >= reviewStep) draftStore.add("Birth");
}

function entryIn(state: unknown): Entry {
  const numberAt = (name: keyof Entry): number | undefined => {
    const value = valueAt(state, [name]);
    return typeof value === "number" ? value : undefined;
  };
  return { step: numberAt("step"), place: numberAt("place"), returnTo: numberAt("returnTo") };
}

/** The types on step 1's cards; another type's prices are fetched once it is pre-selected. */
const offeredTypes = ["Birth", "Death"] as const;

const isOffered = (type: DraftType): boolean => offeredTypes.some((offered) => offered === type);

/** The prices of the types on step 1; `loading` until every fetch has ended, well or badly. */
export function useWizardPrices(): { loading: boolean; unitPrices: (type: DraftType) => UnitPrices } {
  const draft = useDraft();
  const offered = usePrices(offeredTypes);
  const list = usePriceList();
  const chosen = certificatesOf(draft).map(({ certificateType }) => certificateType);
  const preselected = usePrices([...new Set(chosen)].filter((type) => !isOffered(type)).toSorted());
  return {
    loading: offered.isLoading || preselected.isLoading,
    unitPrices: (type) => {
      const fetched = isOffered(type) ? offered.data : preselected.data;
      return fetched?.[type] ?? pricesIn(list, type);
    },
  };
}

/** What the choice costs in pence: unit price x full copies; short copies add nothing. */
export function costOf({ certificateOptions }: Pick<Draft, "certificateOptions">, prices: UnitPrices) {
  const { fullCertificates: copies, isPriority } = certificateOptions;
  const unitPence = penceOf(isPriority ? prices.priority : prices.standard) ?? 0;
  return { copies, unitPence, totalPence: unitPence * copies };
}

/** One certificate, and what it costs in pence. */
export type Cost = ReturnType<typeof costOf> & { readonly certificate: DraftCertificate };

/** What each certificate of the draft costs, and all of them. */
export function useCosts(): { loading: boolean; costs: readonly Cost[]; totalPence: number } {
  const draft = useDraft();
  const { loading, unitPrices } = useWizardPrices();
  const costs = certificatesOf(draft).map((certificate) => ({
    certificate,
    ...costOf(certificate, unitPrices(certificate.certificateType)),
  }));
  return { loading, costs, totalPence: costs.reduce((sum, cost) => sum + cost.totalPence, 0) };
}

interface StepRailProps {
  step: number;
  furthest: number;
  /** Undefined: no step can be reopened, because the order is paid. */
  onPick?: ((step: number) => void) | undefined;
}

type StepState = "complete" | "current" | "upcoming";

const stateOf = (number: number, { step, furthest }: StepRailProps): StepState => {
  if (number === step) return "current";
  return number < step || number < furthest ? "complete" : "upcoming";
};

/** The five steps on a rail; completed ones are ticked, and can be reopened until the order is paid. */
export function StepRail(props: StepRailProps) {
  return (
    <nav aria-label="Steps">
      <CompactSteps step={props.step} />
      <ol className="hidden grid-cols-5 text-14 md:grid lg:text-16">
        {stepNames.map((name, index) => (
          <Step
            key={name}
            name={name}
            number={index + 1}
            state={stateOf(index + 1, props)}
            onPick={props.onPick}
          />
        ))}
      </ol>
    </nav>
  );
}

/** 'Step 2 of 5: Your Details' with a thin bar, for a phone. */
function CompactSteps({ step }: { step: number }) {
  return (
    <div className="md:hidden">
      <p className="text-14 font-[600]">
        Step {step} of {stepNames.length}: {stepNames[step - 1]}
      </p>
      <progress className="step-bar mt-2" value={step} max={stepNames.length} aria-label="Progress" />
    </div>
  );
}

interface RailStepProps {
  name: string;
  number: number;
  state: StepState;
  onPick: StepRailProps["onPick"];
}

function Step({ name, number, state, onPick }: RailStepProps) {
  return (
    <li className="rail" data-state={state} aria-current={state === "current" ? "step" : undefined}>
      <span className="rail-mark" aria-hidden="true">
        {state === "complete" ? <Check className="size-3.5" strokeWidth={3} /> : number}
      </span>
      {state === "complete" && onPick ? (
        <button
          type="button"
          className="link min-h-8 cursor-pointer pr-4 text-left"
          onClick={() => onPick(number)}
        >
          {name}
        </button>
      ) : (
        <span
          className={`inline-flex min-h-8 items-center pr-4 ${state === "current" ? "font-[600]" : state === "upcoming" ? "text-muted" : ""}`}
        >
          {name}
        </span>
      )}
      <span className="sr-only">{state}</span>
    </li>
  );
}
