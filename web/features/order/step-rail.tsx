import { Check } from "lucide-react";
import { stepNames } from "../../ordering/draft/progress.ts";

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

interface StepProps {
  name: string;
  number: number;
  state: StepState;
  onPick: StepRailProps["onPick"];
}

function Step({ name, number, state, onPick }: StepProps) {
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
