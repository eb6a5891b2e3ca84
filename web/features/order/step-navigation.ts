import { useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { isPaid } from "../../ordering/checkout/attempts.ts";
import type { Draft } from "../../ordering/draft/draft.ts";
import { furthestStep } from "../../ordering/draft/progress.ts";
import { draftStore } from "../../ordering/draft/use-draft.ts";
import { pages } from "../../paths.ts";
import { todayInLondon } from "../../ui/dates.ts";

/** Moves between the steps. Each move is a history entry, so Back and reload work as expected. */
interface StepNavigation {
  step: number;
  /** The furthest step that may be opened. */
  furthest: number;
  goTo: (step: number, returnTo?: number) => void;
  /** To the next step, or back to the review if a Change link led here. */
  next: () => void;
  previous: () => void;
  /** True once charged: no step can be reopened. */
  paid: boolean;
  notePaid: () => void;
}

/** Props of every step. */
export interface StepProps {
  navigation: StepNavigation;
}

const paymentStep = 5;

/** The open step: from the history entry, else from the draft; never beyond the furthest allowed. */
export function useStepNavigation(draft: Draft): StepNavigation {
  const location = useLocation();
  const navigate = useNavigate();
  const [paid, setPaid] = useState(isPaid);
  const furthest = furthestStep(draft, todayInLondon());
  const noted = numberIn(location.state, "step");
  const step = isPaid() ? paymentStep : Math.min(noted ?? draft.step, furthest);
  const returnTo = numberIn(location.state, "returnTo");
  const goTo = (wanted: number, back?: number): void => {
    // Going back would only lead to paying again.
    if (isPaid()) return;
    draftStore.update({ step: wanted });
    // The entry being left must record its step too, or Back would open the draft's latest.
    if (noted !== step) navigate(pages.order, { replace: true, state: { step } });
    navigate(pages.order, {
      state: back === undefined ? { step: wanted } : { step: wanted, returnTo: back },
    });
    window.scrollTo(0, 0);
  };
  return {
    step,
    furthest,
    goTo,
    next: () => goTo(returnTo ?? step + 1),
    previous: () => goTo(step - 1),
    paid,
    notePaid: () => setPaid(true),
  };
}

function numberIn(state: unknown, name: "step" | "returnTo"): number | undefined {
  if (typeof state !== "object" || state === null) return undefined;
  const value: unknown = Reflect.get(state, name);
  return typeof value === "number" ? value : undefined;
}
