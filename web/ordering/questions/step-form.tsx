import type { FormEvent, ReactNode } from "react";
import { ErrorSummary, type SummaryError } from "../../ui/fields/error-summary.tsx";

interface StepFormProps {
  errors: readonly SummaryError[];
  attempt: number;
  /** The words of the button that moves on. */
  action: string;
  disabled?: boolean;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  onPrevious?: () => void;
  children: ReactNode;
}

/** A step's error summary, cards and buttons. Browser validation is off. */
export function StepForm({
  errors,
  attempt,
  action,
  disabled = false,
  onSubmit,
  onPrevious,
  children,
}: StepFormProps) {
  return (
    <form noValidate onSubmit={onSubmit} className="mt-6">
      <ErrorSummary errors={errors} attempt={attempt} />
      <div className="space-y-8">{children}</div>
      <div className="mt-7 flex flex-wrap items-center gap-x-6 gap-y-3">
        <button type="submit" className="button button-primary" disabled={disabled}>
          {action}
        </button>
        {onPrevious && <PreviousButton onPress={onPrevious} />}
      </div>
    </form>
  );
}

/** One step back. */
export function PreviousButton({ onPress }: { onPress: () => void }) {
  return (
    <button type="button" className="link min-h-11 cursor-pointer font-[600]" onClick={onPress}>
      Previous
    </button>
  );
}

/** A group of questions on a card, with its name in the border. */
export function QuestionCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0 rounded-4 border border-hairline bg-surface px-4 pt-2 pb-6 sm:px-6">
      <legend className="-ml-2 px-2 font-display text-22 tracking-tight">{title}</legend>
      <div className="mt-3 space-y-6">{children}</div>
    </fieldset>
  );
}

interface PairProps {
  /** Where words may come to stand below one of the boxes, the two are in line from the top. */
  from?: "top" | "bottom";
  children: ReactNode;
}

/** Two fields side by side where there is room, their boxes in line whatever stands above them. */
export function Pair({ from = "bottom", children }: PairProps) {
  return <div className={`grid gap-6 sm:grid-cols-2 ${from === "top" ? "" : "items-end"}`}>{children}</div>;
}
