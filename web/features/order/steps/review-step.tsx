import { type FormEvent, useState } from "react";
import { Link } from "react-router-dom";
import type { ReviewFact } from "../../../../domain/certificates/certificates.ts";
import { mostOrders } from "../../../../domain/checkout/shares.ts";
import { copiesLabel } from "../../../../domain/forms/options.ts";
import { formatPounds } from "../../../../domain/pricing/money.ts";
import { CertificateName } from "../../../ordering/certificate-name.tsx";
import { draftStore, useDraft } from "../../../ordering/current-order.ts";
import { certificatesOf, isFull } from "../../../ordering/draft/basket.ts";
import type { Draft, DraftCertificate } from "../../../ordering/draft/draft.ts";
import { isComplete } from "../../../ordering/draft/steps.ts";
import { PreviousButton } from "../../../ordering/questions/step-form.tsx";
import { pages } from "../../../paths.ts";
import { todayInLondon } from "../../../ui/dates.ts";
import { CheckboxField } from "../../../ui/fields/choice-fields.tsx";
import { ErrorSummary, type SummaryError } from "../../../ui/fields/error-summary.tsx";
import { TextField } from "../../../ui/fields/field.tsx";
import { PageHeading } from "../../../ui/page-heading.tsx";
import { toasts } from "../../../ui/toasts/toasts.ts";
import type { StepProps } from "../wizard.tsx";
import {
  boxNotice,
  certificateFacts,
  choiceFacts,
  contactFacts,
  type SigningError,
  signingErrors,
  unfinishedErrors,
} from "./review.ts";

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
          <Certificates draft={draft} onChange={(step) => navigation.goTo(step, review)} />
          <FactList
            title="Contact details"
            typed
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
        <AddAnother draft={draft} onAdd={navigation.addAnother} />
      </form>
    </>
  );
}

/** Continues once everything is signed and ticked; until then it says what is missing. */
function useSigning(draft: Draft, onSigned: () => void) {
  const [attempt, setAttempt] = useState(0);
  const missing = [...unfinishedErrors(draft, todayInLondon()), ...signingErrors(draft)];
  const errors: readonly SummaryError[] = attempt > 0 ? missing : [];
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

interface CertificatesProps {
  draft: Draft;
  /** Opens a step to change the certificate that is open. */
  onChange: (step: number) => void;
}

/** The facts of each certificate; of several, each has its section. */
function Certificates({ draft, onChange }: CertificatesProps) {
  const certificates = certificatesOf(draft);
  const change = (place: number, step: number): void => {
    draftStore.open(place);
    onChange(step);
  };
  return certificates.map((certificate, place) => {
    const of = certificates.length > 1 ? certificate : undefined;
    const lists = [
      <FactList
        key="choice"
        title="Your choice"
        of={of}
        facts={choiceFacts(certificate)}
        onChange={() => change(place, 1)}
      />,
      <FactList
        key="details"
        title="Certificate details"
        of={of}
        typed
        facts={certificateFacts(certificate)}
        onChange={() => change(place, 3)}
      />,
    ];
    if (!of) return lists;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a certificate is known by its place.
      <section key={place} aria-labelledby={`certificate-${place}`} className="space-y-3">
        <h2 id={`certificate-${place}`} className="pt-3 text-22">
          <CertificateName certificate={certificate} />
        </h2>
        {!isComplete(certificate, todayInLondon()) && (
          <Unfinished id={`finish-${place}`} certificate={certificate} onFinish={() => change(place, 3)} />
        )}
        {lists}
      </section>
    );
  });
}

interface UnfinishedProps {
  id: string;
  certificate: DraftCertificate;
  onFinish: () => void;
}

function Unfinished({ id, certificate, onFinish }: UnfinishedProps) {
  return (
    <p className="border-l-3 border-danger pl-3">
      You haven’t finished this certificate.{" "}
      <button id={id} type="button" className="link min-h-6 cursor-pointer" onClick={onFinish}>
        Finish
        <span className="sr-only">
          {" the "}
          <CertificateName certificate={certificate} within />
        </span>
      </button>
    </p>
  );
}

/** Asks for another certificate, as long as one payment may have one more. */
function AddAnother({ draft, onAdd }: { draft: Draft; onAdd: () => void }) {
  if (isFull(draft)) {
    return (
      <p className="mt-5 max-w-measure text-muted">
        You have {mostOrders} certificates, the most that one payment can cover. To order more, pay for these
        first.
      </p>
    );
  }
  return (
    <div className="mt-5">
      <button type="button" className="button button-outlined" onClick={onAdd}>
        Add another certificate
      </button>
      <p className="mt-2 max-w-measure text-14 text-muted">
        You pay for all certificates together, and each gets its own order number. We won’t ask for your own
        details again.
      </p>
    </div>
  );
}

interface FactListProps {
  title: string;
  /** The certificate it belongs to, where there are several. */
  of?: DraftCertificate | undefined;
  facts: readonly ReviewFact[];
  /** The customer's own words, such as names as registered: a translation would hide what is sent. */
  typed?: boolean;
  onChange: () => void;
}

/** A section of the review, with a Change link to its step and back. */
function FactList({ title, of, facts, typed = false, onChange }: FactListProps) {
  const Heading = of ? "h3" : "h2";
  return (
    <section className="rounded-4 border border-hairline bg-surface px-4 py-5 sm:px-6">
      <div className="flex items-baseline justify-between gap-4">
        <Heading className={of ? "text-18" : "text-22"}>{title}</Heading>
        <button type="button" className="link min-h-6 cursor-pointer" onClick={onChange}>
          Change
          <span className="sr-only"> {title.toLowerCase()}</span>
          {of && (
            <span className="sr-only">
              {" of the "}
              <CertificateName certificate={of} within />
            </span>
          )}
        </button>
      </div>
      <dl className="mt-3">
        {facts.map(({ name, answer }) => (
          <div key={name} className="border-t border-hairline py-2 sm:grid sm:grid-cols-[13rem_1fr] sm:gap-4">
            <dt className="text-muted max-sm:text-14">{name}</dt>
            <dd translate={typed ? "no" : undefined} className="min-w-0 whitespace-pre-line">
              {answer}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The declaration, the agreements, the signature and the two boxes, initially unticked. */
function Declaration({ draft, errors }: { draft: Draft; errors: readonly SummaryError[] }) {
  const { firstName, lastName } = draft.personalDetails;
  const certificates = certificatesOf(draft);
  const isOne = certificates.length === 1;
  const errorOf = (id: SigningError["id"]) => errors.find((error) => error.id === id)?.message;
  return (
    <section className="space-y-5 rounded-4 border border-hairline bg-surface px-4 py-5 sm:px-6">
      <h2 className="text-22">Declaration</h2>
      <p>
        I declare that this information is true to the best of my knowledge. Please submit it to the General
        Register Office.{isOne && " I understand that:"}
      </p>
      {!isOne && <Ordered certificates={certificates} />}
      <ul className="list-disc space-y-1.5 pl-5 text-muted">
        <li>I am 18 or over, or have the consent of a parent or guardian.</li>
        <li>The price includes the GRO’s fee, our administration fee and postage.</li>
        <li>
          {isOne
            ? "I can cancel with a full refund until the application has been submitted."
            : "I can cancel each certificate with a full refund until its application has been submitted."}
        </li>
        <li>
          The GRO prints and posts the {isOne ? "certificate" : "certificates"}, and delays by the GRO or in
          the post are not refunded.
        </li>
      </ul>
      <TextField
        id="signature"
        label="Signature"
        hint={
          <>
            Type your full name, <span translate="no">{`${firstName} ${lastName}`.trim()}</span>, to sign.
          </>
        }
        error={errorOf("signature")}
        autoComplete="name"
        maxLength={200}
        value={draft.signature}
        onChange={(event) => draftStore.update({ signature: event.target.value })}
      />
      <Boxes draft={draft} errorOf={errorOf} />
    </section>
  );
}

/** What one signature is for, where that is several certificates. */
function Ordered({ certificates }: { certificates: readonly DraftCertificate[] }) {
  return (
    <>
      <p>I am ordering:</p>
      <ul className="list-disc space-y-1.5 pl-5">
        {certificates.map((certificate, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a certificate is known by its place.
          <li key={place}>
            <CertificateName certificate={certificate} />,{" "}
            {copiesLabel(certificate.certificateOptions.fullCertificates)}
          </li>
        ))}
      </ul>
      <p>I understand that:</p>
    </>
  );
}

interface BoxesProps {
  draft: Draft;
  errorOf: (id: SigningError["id"]) => string | undefined;
}

function Boxes({ draft, errorOf }: BoxesProps) {
  return (
    <>
      <CheckboxField
        id="accept-terms"
        checked={draft.acceptsTerms}
        onChange={(acceptsTerms) => draftStore.update({ acceptsTerms })}
        error={errorOf("accept-terms")}
      >
        I accept the{" "}
        <Link className="link" to={pages.terms} target="_blank" rel="noreferrer">
          Terms & Conditions<span className="sr-only"> (opens in a new tab)</span>
        </Link>{" "}
        and have read the{" "}
        <Link className="link" to={pages.privacy} target="_blank" rel="noreferrer">
          Privacy Policy<span className="sr-only"> (opens in a new tab)</span>
        </Link>
        .
      </CheckboxField>
      <CheckboxField
        id="ask-to-begin"
        checked={draft.asksToBegin}
        onChange={(asksToBegin) => draftStore.update({ asksToBegin })}
        error={errorOf("ask-to-begin")}
      >
        I ask you to start now, within the 14-day cancellation period. I understand that once the application
        for a certificate has been submitted, the service for it is fully performed and I lose my right to
        cancel it.
      </CheckboxField>
    </>
  );
}
