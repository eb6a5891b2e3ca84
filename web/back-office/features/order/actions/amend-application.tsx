import { useCallback, useRef, useState } from "react";
import { applicantNamed } from "../../../../ordering/checkout/applicant-named.ts";
import { type Applicant, applicationOf } from "../../../../ordering/checkout/application-payload.ts";
import { enteredAnswers } from "../../../../ordering/checkout/entered-answers.ts";
import { type CertificateAnswers, emptyAnswers } from "../../../../ordering/draft/certificate-answers.ts";
import type { DraftType } from "../../../../ordering/draft/draft.ts";
import { validDetails } from "../../../../ordering/draft/valid-details.ts";
import { CertificateForm } from "../../../../ordering/questions/certificates/certificate-form.tsx";
import { todayInLondon } from "../../../../ui/dates.ts";
import { ActionDialog } from "../../../ui/action-dialog.tsx";
import { Empty } from "../../../ui/placeholders.tsx";
import { RevealDialog } from "../personal-data/reveal-dialog.tsx";
import type { Reveals } from "../personal-data/use-reveals.ts";
import { News } from "../timeline/changes.tsx";
import { type ActingOn, useAct } from "./use-act.ts";

interface AmendApplicationProps extends ActingOn {
  readonly reveals: Reveals;
  readonly onDone: () => void;
}

/**
 * Enters the application again: as it was where it is still sealed, from the beginning where it was destroyed after the submission.
 * Either way it takes a look at personal data, and so a reason.
 */
export function AmendApplication(props: AmendApplicationProps) {
  const { order, reveals, onDone } = props;
  const [type] = useState(order.certificateType);
  const [answering] = useState(order.personal.application.state !== "sealed");
  const opened = useRef(false);
  // Kept: what is revealed may be hidden meanwhile, and the form must not vanish under somebody's hands.
  const kept = useRef<Start | null>(null);
  kept.current ??= startOf(reveals, answering);
  const start = kept.current;
  if (type === null) {
    return (
      <Empty title="No certificate was chosen yet.">
        <button type="button" className="button button-dense button-outlined mt-2" onClick={onDone}>
          Back to the order
        </button>
      </Empty>
    );
  }
  if (start === null) {
    return (
      <RevealDialog
        title={answering ? "Answer the GRO’s question" : "Amend the application"}
        what={
          answering
            ? "The application was destroyed after its submission, so it is entered again. The customer’s name goes with it."
            : "The application is shown to you in its form."
        }
        confirmLabel="Open the form"
        onReveal={async (reason) => {
          opened.current = await (answering
            ? reveals.revealContact(reason)
            : reveals.revealApplication(reason));
        }}
        // It closes as well once it was answered: then the form takes its place.
        onClose={() => opened.current || onDone()}
      />
    );
  }
  return <AmendForm {...props} type={type} answering={answering} {...start} />;
}

interface Start {
  readonly answers: CertificateAnswers;
  readonly applicant: Applicant;
}

function startOf({ application, contact }: Reveals, answering: boolean): Start | null {
  if (answering) {
    return (
      contact && { answers: emptyAnswers(), applicant: applicantNamed(contact.data.contact.contactFullName) }
    );
  }
  if (!application) return null;
  const { customerFirstName, customerLastName } = application.data.application;
  return {
    answers: enteredAnswers(application.data.application),
    applicant: { customerFirstName, customerLastName },
  };
}

interface AmendFormProps extends AmendApplicationProps, Start {
  readonly type: DraftType;
  readonly answering: boolean;
}

function AmendForm({ type, answering, answers, applicant, onDone, ...on }: AmendFormProps) {
  const [start] = useState(answers);
  const [typed, setTyped] = useState(answers);
  const [confirming, setConfirming] = useState(false);
  const { act, news } = useAct("amendApplication", on);
  const keep = useCallback(
    (part: Partial<CertificateAnswers>) => setTyped((before) => ({ ...before, ...part })),
    [],
  );
  const send = async (said: { reason: string; note: string }): Promise<void> => {
    const valid = validDetails({ ...typed, certificateType: type }, todayInLondon());
    if (!valid) throw new Error("The form was complete a moment ago.");
    await act(said, { application: applicationOf(valid, applicant) });
    onDone();
  };
  return (
    <div className="max-w-form pt-4">
      <CertificateForm
        type={type}
        title={answering ? "Answer the GRO’s question" : "Amend the application"}
        lead={<Lead orderNumber={on.order.orderNumber} answering={answering} />}
        answers={start}
        onChange={keep}
        action={answering ? "Send Answer…" : "Save Changes…"}
        whenStopped="The order has not been changed."
        onDone={() => setConfirming(true)}
      />
      <button
        type="button"
        className="link mt-5 inline-flex min-h-7 cursor-pointer items-center"
        onClick={onDone}
      >
        Back to the order, changing nothing
      </button>
      {confirming && (
        <ActionDialog
          open
          onClose={() => setConfirming(false)}
          title={answering ? "Answer the GRO" : "Amend the application"}
          whatHappens={
            answering
              ? "The application goes to the GRO once more, and is destroyed again after that."
              : "This takes the place of the application, which is destroyed. It goes to the GRO as it now is; the price stays."
          }
          confirmLabel={answering ? "Send answer" : "Save changes"}
          withNote={on.order.personal.contact.state === "sealed"}
          onConfirm={send}
        >
          <News entries={news} />
        </ActionDialog>
      )}
    </div>
  );
}

function Lead({ orderNumber, answering }: { orderNumber: string; answering: boolean }) {
  return (
    <p className="mt-3 max-w-measure text-muted">
      Order <span className="figures">{orderNumber}</span>.{" "}
      {answering
        ? "Enter the application again, with what the GRO asks for set right."
        : "What you change here is what the GRO gets."}
    </p>
  );
}
