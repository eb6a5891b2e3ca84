import { ChevronUp } from "lucide-react";
import {
  type ComponentType,
  type ReactNode,
  Suspense,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";
import { useSearchParams } from "react-router-dom";
import { breath, quietMoment } from "../../app/quiet-moment.ts";
import { draftStore, startNewOrder, useDraft } from "../../ordering/current-order.ts";
import { type Draft, type DraftType, draftAsked } from "../../ordering/draft/draft.ts";
import { official, pages } from "../../paths.ts";
import { onDemand } from "../../rendering/hydration.tsx";
import { useOrderable } from "../../site/config.ts";
import { DespatchLine } from "../../ui/price-notes.tsx";
import { loadToasts } from "../../ui/toasts/toast-outlet.tsx";
import { type Summary, type SummaryLine, summaryOf } from "./summary-lines.ts";
import { costOf, StepRail, useStepNavigation, useWizardPrices } from "./wizard.tsx";

const firstStep = onDemand(() => import("./steps/select-document-step.tsx"));
const steps = [
  firstStep,
  onDemand(() => import("./steps/your-details-step.tsx")),
  onDemand(() => import("./steps/certificate-details-step.tsx")),
  onDemand(() => import("./steps/review-step.tsx")),
  onDemand(() => import("./payment/payment-step.tsx")),
];

/** The order wizard: five steps, the rail above them, the receipt beside them. */
export default function OrderPage() {
  const asked = useTypeParameter();
  const draft = useDraft();
  const navigation = useStepNavigation(draft);
  useTotalKept();
  useEffect(() => void loadAhead(), []);
  const SaveForLater = useSaveForLater();
  const Step = (steps[navigation.step - 1] ?? firstStep).Page;
  const off = useSwitchedOff(navigation.step, asked, draft.certificateType);
  const chosen = draft.certificateOptions.fullCertificates > 0;
  return (
    <div className="page-width pt-6 lg:pt-8 lg:pb-20">
      <StepRail
        step={navigation.step}
        furthest={navigation.furthest}
        onPick={navigation.paid ? undefined : navigation.goTo}
      />
      <div className="mt-8 items-start gap-x-16 lg:grid lg:grid-cols-[minmax(0,40rem)_minmax(17rem,20rem)] lg:justify-between">
        <div className="min-w-0 pb-16 max-lg:min-h-[calc(100dvh-14rem)] lg:pb-0">
          {off && <NotOrderable type={off} />}
          <Suspense key={navigation.step} fallback={<StepLoading />}>
            <Step navigation={navigation} />
          </Suspense>
          {SaveForLater && chosen && navigation.step < steps.length && (
            <SaveForLater key={`save-${navigation.step}`} />
          )}
        </div>
        {chosen && <OrderSummary draft={draft} />}
      </div>
    </div>
  );
}

/** Loads the step that the draft has open, so that the page shows it at once. */
export async function loadOpenStep(): Promise<void> {
  const open = steps[draftStore.current().step - 1] ?? firstStep;
  await open.load().catch(() => undefined);
}

/**
 * Loads what comes later, one after the other, once the open step is there: the next press shows it at once, also
 * without a connection. What fails here is asked for again where it is used.
 */
async function loadAhead(): Promise<void> {
  await quietMoment();
  for (const load of [...steps.map(({ load }) => load), loadToasts]) {
    await load().catch(() => undefined);
    await breath();
  }
}

/** The control that saves the order, once its script has come. Without it the wizard works as well. */
function useSaveForLater(): ComponentType | undefined {
  const [control, setControl] = useState<ComponentType>();
  useEffect(() => {
    void quietMoment()
      .then(() => import("./save-for-later.tsx"))
      .then(({ SaveForLater }) => setControl(() => SaveForLater))
      .catch(() => undefined);
  }, []);
  return control;
}

function StepLoading() {
  return (
    <p role="status" className="py-16">
      <span className="spinner" aria-hidden="true" />
      <span className="sr-only">Loading the step</span>
    </p>
  );
}

/** Applies `?type=` once and removes it from the URL. @returns the requested type, even if it cannot be ordered */
function useTypeParameter(): DraftType | undefined {
  const [parameters] = useSearchParams();
  const isOrderable = useOrderable();
  const asked = parameters.get("type");
  const draft = asked === null ? undefined : draftAsked(asked);
  const type = draft?.certificateType;
  const isOn = type === undefined || isOrderable(type);
  useEffect(() => {
    if (asked === null) return;
    const fresh = draftAsked(asked);
    // Given answers are kept if the requested type cannot be ordered.
    if (fresh && isOn) startNewOrder(fresh);
    // Not through the router: only the URL is tidied.
    history.replaceState(history.state, "", pages.order);
  }, [asked, isOn]);
  return type;
}

/** The unavailable type to report; none once payment has begun, since a priced order can be paid. */
function useSwitchedOff(
  step: number,
  asked: DraftType | undefined,
  drafted: DraftType,
): DraftType | undefined {
  const isOrderable = useOrderable();
  if (step === steps.length) return undefined;
  if (asked !== undefined && !isOrderable(asked)) return asked;
  return isOrderable(drafted) ? undefined : drafted;
}

/** Keeps the draft's total in step with choice and prices. */
function useTotalKept(): void {
  const draft = useDraft();
  const { unitPrices, loading } = useWizardPrices();
  const { totalPence } = costOf(draft, unitPrices(draft.certificateType));
  useEffect(() => {
    // A placeholder price while the real one loads is no change of choice, and must not undo a signature.
    if (!loading) draftStore.setTotal(totalPence / 100);
  }, [totalPence, loading]);
}

/** Says that a type is switched off, and where to order it meanwhile. */
function NotOrderable({ type }: { type: string }) {
  return (
    <div role="alert" className="mb-6 max-w-measure rounded-4 border-2 border-danger p-4">
      <p className="font-[600]">{type} certificates cannot be ordered here at the moment</p>
      <p className="mt-1">
        Choose another certificate, or order directly from the{" "}
        <a className="link" href={official.order}>
          General Register Office
        </a>
        . You haven’t been charged, and your answers are kept in this tab.
      </p>
    </div>
  );
}

/** Beside the form on a wide screen; on a phone, an expandable bar at the bottom. */
function OrderSummary({ draft }: { draft: Draft }) {
  const wide = useWide();
  const { unitPrices } = useWizardPrices();
  const summary = summaryOf(draft, costOf(draft, unitPrices(draft.certificateType)).unitPence);
  const receipt = <Receipt summary={summary} priority={draft.certificateOptions.isPriority} />;
  if (wide) {
    return (
      <aside aria-labelledby="summary" className="sticky top-6 self-start">
        <div className="torn border border-hairline bg-surface px-6 pt-5">
          <h2 id="summary" className="text-22">
            Your order
          </h2>
          <p className="dotted-rule-after mt-1.5 mb-3 text-14 text-muted">
            Kept in this tab until you finish.
          </p>
          {receipt}
        </div>
      </aside>
    );
  }
  return (
    <FoldedSummary title={summary.title} total={summary.total}>
      {receipt}
    </FoldedSummary>
  );
}

interface FoldedSummaryProps {
  title: string;
  total: string;
  children: ReactNode;
}

/** The bar. Its button is small, because it covers other controls. */
function FoldedSummary({ title, total, children }: FoldedSummaryProps) {
  const [open, setOpen] = useState(false);
  return (
    <aside
      aria-label="Your order"
      className="sticky bottom-0 z-10 -mx-5 border-t border-hairline bg-surface shadow-float"
    >
      <div className="flex min-h-14 items-center gap-3 pl-5">
        <span className="min-w-0 flex-1 text-14 font-[500]">{title}</span>
        <span className="figures font-[600]">{total}</span>
        <button
          type="button"
          className="grid size-12 cursor-pointer place-items-center text-muted"
          aria-expanded={open}
          aria-controls="receipt"
          onClick={() => setOpen(!open)}
        >
          <ChevronUp aria-hidden="true" className={`size-5 ${open ? "rotate-180" : ""}`} strokeWidth={1.75} />
          <span className="sr-only">Price breakdown</span>
        </button>
      </div>
      <div id="receipt" hidden={!open} className="max-h-[60vh] overflow-y-auto px-5 pb-5">
        {children}
      </div>
    </aside>
  );
}

/** The order as a till receipt: items, prices, their parts, and the total. */
function Receipt({ summary, priority }: { summary: Summary; priority: boolean }) {
  return (
    <>
      <Lines lines={summary.choice} />
      <p className="dotted-rule mt-3 pt-3 text-14 text-muted">Of each {summary.unit}</p>
      <Lines lines={summary.parts} />
      <p className="leader dotted-rule mt-3 pt-3 text-18 font-[600]">
        <span>Total</span>
        <span className="figures">{summary.total}</span>
      </p>
      <DespatchLine serviceLevel={priority ? "priority" : "standard"} className="mt-3 text-14" />
      <p className="mt-2 text-14 text-muted">
        We are a private company. The GRO’s own price is {summary.atTheGro} a copy.{" "}
        <a className="link" href={official.order}>
          Order there
        </a>
      </p>
    </>
  );
}

function Lines({ lines }: { lines: readonly SummaryLine[] }) {
  return (
    <dl>
      {lines.map(({ what, figure }) => (
        <div key={what} className="leader py-1 text-14">
          <dt>{what}</dt>
          <dd className="figures">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

const wide = matchMedia("(min-width: 62rem)");

const subscribe = (listener: () => void) => {
  wide.addEventListener("change", listener);
  return () => wide.removeEventListener("change", listener);
};

/** True on screens wide enough for two columns: the `lg` breakpoint of tokens.css. */
const useWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);
