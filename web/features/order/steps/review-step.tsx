import { type FormEvent, useState } from "react";
import type { Draft } from "../../../ordering/draft/draft.ts";
import { draftStore, useDraft } from "../../../ordering/draft/use-draft.ts";
import { PreviousButton } from "../../../ordering/questions/step-form.tsx";
import { ErrorSummary } from "../../../ui/fields/error-summary.tsx";
import { PageHeading } from "../../../ui/page-heading.tsx";
import { toasts } from "../../../ui/toasts/toasts.ts";
import type { StepProps } from "../step-navigation.ts";
import { Declaration } from "./declaration.tsx";
import { FactList } from "./fact-list.tsx";
import { certificateFacts, choiceFacts, contactFacts } from "./review-facts.ts";
import { SignAgain } from "./sign-again.tsx";
import { boxNotice, type SigningError, signingErrors } from "./signing-errors.ts";

const review = 4;

/** Step 4: everything once more, the declaration, the signature, and the two boxes. */
export function ReviewStep({ navigation }: StepProps) {
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

/** Goes on once everything is signed and ticked, and says what is missing until then. */
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
