import { type ComponentType, Suspense, useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { breath, quietMoment } from "../../app/quiet-moment.ts";
import { draftStore, startNewOrder, useDraft } from "../../ordering/current-order.ts";
import { certificatesOf } from "../../ordering/draft/basket.ts";
import { type Draft, type DraftType, draftAsked } from "../../ordering/draft/draft.ts";
import { official, pages } from "../../paths.ts";
import { type OnDemand, onDemand } from "../../rendering/hydration.tsx";
import { useOrderable } from "../../site/config.ts";
import { loadToasts } from "../../ui/toasts/toast-outlet.tsx";
import { OrderSummary } from "./order-summary.tsx";
import SelectDocumentStep from "./steps/select-document-step.tsx";
import { type StepProps, StepRail, useCosts, useStepNavigation } from "./wizard.tsx";

/** There at once: most visits begin with it. */
const firstStep: OnDemand<StepProps> = { Page: SelectDocumentStep, load: async () => undefined };
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
  const drafted = certificatesOf(draft).map(({ certificateType }) => certificateType);
  const off = useSwitchedOff(navigation.step, asked, drafted);
  const chosen = draft.certificateOptions.fullCertificates > 0;
  // Another certificate's answers are another form.
  const stepKey = [navigation.step, draft.place, draft.others.length].join();
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
          <Suspense key={stepKey} fallback={<StepLoading />}>
            <Step navigation={navigation} />
          </Suspense>
          {SaveForLater && chosen && navigation.step < steps.length && (
            <SaveForLater key={`save-${navigation.step}`} />
          )}
        </div>
        {chosen && <OrderSummary navigation={navigation} />}
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
    if (fresh && isOn) begin(fresh);
    // Not through the router: only the URL is tidied.
    history.replaceState(history.state, "", pages.order);
  }, [asked, isOn]);
  return type;
}

/** A link begins an order; in an order of several certificates, it adds one. */
function begin(fresh: Draft): void {
  if (draftStore.current().others.length === 0) {
    startNewOrder(fresh);
    return;
  }
  draftStore.add(fresh.certificateType);
  draftStore.update({ step: 1 });
}

/** The unavailable type to report; none once payment has begun, since a priced order can be paid. */
function useSwitchedOff(
  step: number,
  asked: DraftType | undefined,
  drafted: readonly DraftType[],
): DraftType | undefined {
  const isOrderable = useOrderable();
  if (step === steps.length) return undefined;
  if (asked !== undefined && !isOrderable(asked)) return asked;
  return drafted.find((type) => !isOrderable(type));
}

/** Keeps the draft's total in step with choice and prices. */
function useTotalKept(): void {
  const { totalPence, loading } = useCosts();
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
