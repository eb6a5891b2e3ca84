import { type FormEvent, useState } from "react";
import type { ReviewFact } from "../../../../domain/certificates/review.ts";
import { formatPounds } from "../../../../domain/pricing/money.ts";
import type { Draft } from "../../../ordering/draft/draft.ts";
import { draftStore, useDraft } from "../../../ordering/draft/use-draft.ts";
import { PreviousButton } from "../../../ordering/questions/step-form.tsx";
import { ErrorSummary } from "../../../ui/fields/error-summary.tsx";
import { PageHeading } from "../../../ui/page-heading.tsx";
import { toasts } from "../../../ui/toasts/toasts.ts";
import type { StepProps } from "../step-navigation.ts";
import { Declaration } from "./declaration.tsx";
import { certificateFacts, choiceFacts, contactFacts } from "./review-facts.ts";
import { boxNotice, type SigningError, signingErrors } from "./signing-errors.ts";

const review = 4;

/** Step 4: a summary of all answers, the declaration, the signature, and the two boxes. */
export default function ReviewStep({ navigation }: StepProps) {
  const draft = useDraft();
  const { errors, attempt, sign } = useSigning(draft, navigation.next);
  return (
    <>
      <PageHeading title="Review & Sign" error={errors.length > 0}>
        Review & Sign
      </PageHeading>
      <p className="mt-3 max-w-measure text-muted">
        Check your answers. We send exactly this to the General Register Office.
      </p>
      {draft.signAgain && <SignAgain total={draft.total} />}
      <form noValidate onSubmit={sign} className="mt-6">
        <ErrorSummary errors={errors} attempt={attempt} />
        <div className="space-y-6">
          <FactList
            title="Your choice"
            facts={choiceFacts(draft)}
            onChange={() => navigation.goTo(1, review)}
          />
          <FactList
            title="Certificate details"
            facts={certificateFacts(draft)}
            onChange={() => navigation.goTo(3, review)}
          />
          <FactList
            title="Contact details"
            facts={contactFacts(draft)}
            onChange={() => navigation.goTo(2, review)}
          />
          <Declaration draft={draft} errors={errors} />
        </div>
        <div className="mt-7 flex flex-wrap items-center gap-x-6 gap-y-3">
          <button
            type="submit"
            className="button button-primary"
            aria-disabled={!(draft.acceptsTerms && draft.asksToBegin) || undefined}
          >
            Continue to Payment
          </button>
          <PreviousButton onPress={navigation.previous} />
        </div>
      </form>
    </>
  );
}

/** Continues once everything is signed and ticked; until then it says what is missing. */
function useSigning(draft: Draft, onSigned: () => void) {
  const [attempt, setAttempt] = useState(0);
  const missing = signingErrors(draft);
  const errors: readonly SigningError[] = attempt > 0 ? missing : [];
  const sign = (event: FormEvent): void => {
    event.preventDefault();
    if (missing.length === 0) {
      toasts.dismissAll();
      draftStore.update({ signAgain: false });
      onSigned();
      return;
    }
    setAttempt(attempt + 1);
    const notice = boxNotice(draft);
    if (notice) toasts.show({ ...notice, variant: "destructive" });
  };
  return { errors, attempt, sign };
}

/** Explains why the signature and both ticks were cleared. `total` is in pounds. */
function SignAgain({ total }: { total: number }) {
  return (
    <p role="status" className="mt-5 rounded-4 border border-l-4 border-primary bg-surface p-4">
      What you are ordering, or its price, has changed since you signed: the total is now{" "}
      <span className="figures">{formatPounds(Math.round(total * 100))}</span>. Please check it, then sign and
      tick both boxes again.
    </p>
  );
}

interface FactListProps {
  title: string;
  facts: readonly ReviewFact[];
  onChange: () => void;
}

/** A section of the review, with a Change link to its step and back. */
function FactList({ title, facts, onChange }: FactListProps) {
  return (
    <section className="rounded-4 border border-hairline bg-surface px-4 py-5 sm:px-6">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-22">{title}</h2>
        <button type="button" className="link min-h-6 cursor-pointer" onClick={onChange}>
          Change<span className="sr-only"> {title.toLowerCase()}</span>
        </button>
      </div>
      <dl className="mt-3">
        {facts.map(({ name, answer }) => (
          <div key={name} className="border-t border-hairline py-2 sm:grid sm:grid-cols-[13rem_1fr] sm:gap-4">
            <dt className="text-muted max-sm:text-14">{name}</dt>
            <dd className="min-w-0 whitespace-pre-line">{answer}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
