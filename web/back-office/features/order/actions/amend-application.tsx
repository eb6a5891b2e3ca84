import { useCallback, useRef, useState } from "react";
import { type Applicant, applicantNamed } from "../../../../../domain/forms/names.ts";
import {
  type CertificateAnswers,
  emptyAnswers,
  validDetails,
} from "../../../../ordering/draft/certificate-answers.ts";
import type { DraftType } from "../../../../ordering/draft/draft.ts";
import { applicationOf, enteredAnswers } from "../../../../ordering/draft/order-answers.ts";
import { CertificateForm } from "../../../../ordering/questions/certificates/certificate-form.tsx";
import { todayInLondon } from "../../../../ui/dates.ts";
import { ActionDialog } from "../../../ui/action-dialog.tsx";
import { Empty } from "../../../ui/page-parts.tsx";
import { RevealDialog, type Reveals } from "../personal-data/reveals.tsx";
import { News } from "../timeline/state-panel.tsx";
import { type ActingOn, useAct } from "./allowed-actions.tsx";

interface AmendApplicationProps extends ActingOn {
  readonly reveals: Reveals;
  readonly onDone: () => void;
}

/**
 * Amends the application while it is still sealed, or enters it again after it was destroyed.
 * Both reveal personal data and so need a reason.
 */
export function AmendApplication(props: AmendApplicationProps) {
  const { order, reveals, onDone } = props;
  const [type] = useState(order.certificateType);
  const [answering] = useState(order.personal.application.state !== "sealed");
  const opened = useRef(false);
  // The form must stay even if the revealed data is hidden meanwhile.
  const kept = useRef<Start | null>(null);
  kept.current ??= startOf(reveals, answering);
  const start = kept.current;
  if (type === null) {
    return (
      <Empty title="No certificate has been chosen yet.">
        <button type="button" className="button button-dense button-outlined mt-2" onClick={onDone}>
          Return to order
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
            ? "The application was destroyed after submission, so it must be entered again. The form submits the customer’s name with it."
            : "The form shows the application."
        }
        confirmLabel="Open the form"
        onReveal={async (reason) => {
          opened.current = await (answering
            ? reveals.revealContact(reason)
            : reveals.revealApplication(reason));
        }}
        // Also called after success, when the form replaces the dialog.
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
    return contact && { answers: emptyAnswers(), applicant: applicantNamed(contact.data.contact) };
  }
  if (!application) return null;
  // The name as ordered: if it was corrected since, the submission takes it from the contact.
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
  const send = async (given: { reason: string; note: string }): Promise<void> => {
    const valid = validDetails({ ...typed, certificateType: type }, todayInLondon());
    if (!valid) throw new Error("The form is no longer complete.");
    await act(given, { application: applicationOf(valid, applicant) });
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
        Cancel and return to order
      </button>
      {confirming && (
        <ActionDialog
          open
          onClose={() => setConfirming(false)}
          title={answering ? "Answer the GRO" : "Amend the application"}
          whatHappens={
            answering
              ? "We submit the application to the GRO again, then destroy it."
              : "This replaces the application and destroys the old one. The new one is submitted to the GRO at the same price."
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
        ? "Enter the application again with the corrections that the GRO asked for."
        : "We submit the details to the GRO as you change them here."}
    </p>
  );
}
