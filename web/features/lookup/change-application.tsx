import { useCallback, useEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { getApplication } from "../../api/application.ts";
import { getContactName } from "../../api/correct-contact.ts";
import type { TrackedOrder } from "../../api/look-up-order.ts";
import { ApiError } from "../../api/problem.ts";
import type { Applicant } from "../../checkout/application-payload.ts";
import { enteredAnswers } from "../../checkout/entered-answers.ts";
import { type CertificateAnswers, emptyAnswers } from "../../draft/certificate-answers.ts";
import type { DraftType } from "../../draft/draft.ts";
import { trackingOf } from "../../paths.ts";
import { CertificateForm } from "../../questions/certificate-form.tsx";
import { PageHeading } from "../../ui/page-heading.tsx";
import { applicantNamed } from "./applicant-named.ts";
import { useSendApplication } from "./use-send-application.ts";

/** What there is to change: an application not sent yet, or one that the GRO asked about and that is gone by now. */
interface Changeable {
  id: string;
  type: DraftType;
  answering: boolean;
}

/** What the form starts with. */
interface Start {
  answers: CertificateAnswers;
  applicant: Applicant;
}

/** What may be changed of an order, or null. */
export function changeableIn(order: TrackedOrder): Changeable | null {
  const { id, certificateType: type, canAmend, question } = order;
  return id && type && (canAmend || question) ? { id, type, answering: question === true } : null;
}

/** Changing the application before it is sent, or answering the GRO's question after it. */
export function ChangeApplication({ order, onChanged }: { order: TrackedOrder; onChanged: () => void }) {
  // What the order was when the form was opened: were it sent meanwhile, the form must not vanish under the reader's hands.
  const [changeable] = useState(() => changeableIn(order));
  const start = useStart(changeable);
  if (!changeable || start === "closed") return <NotNow orderNumber={order.orderNumber} />;
  if (start === null)
    return (
      <p role="status" className="py-16 text-muted">
        Loading your details…
      </p>
    );
  return <ChangeForm order={order} changeable={changeable} start={start} onChanged={onChanged} />;
}

interface ChangeFormProps {
  order: TrackedOrder;
  changeable: Changeable;
  start: Start;
  onChanged: () => void;
}

function ChangeForm({ order, changeable, start, onChanged }: ChangeFormProps) {
  const { id, type, answering } = changeable;
  const [answers, setAnswers] = useState(start.answers);
  const keep = useCallback(
    (part: Partial<CertificateAnswers>) => setAnswers((before) => ({ ...before, ...part })),
    [],
  );
  const { send, sending, problems } = useSendApplication(id, start.applicant, onChanged);
  const action = answering ? "Send Answer" : "Save Changes";
  return (
    <>
      <CertificateForm
        type={type}
        title={answering ? "Answer the GRO's question" : "Change your application"}
        lead={<Lead answering={answering} orderNumber={order.orderNumber} problems={problems} />}
        answers={start.answers}
        onChange={keep}
        action={sending ? "Sending..." : action}
        onDone={() => void send({ ...answers, certificateType: type })}
      />
      <p className="mt-5">
        <Link className="link inline-flex min-h-11 items-center" to={trackingOf(order.orderNumber)}>
          Back to the order, changing nothing
        </Link>
      </p>
    </>
  );
}

interface LeadProps {
  answering: boolean;
  orderNumber: string;
  problems: readonly string[];
}

function Lead({ answering, orderNumber, problems }: LeadProps) {
  return (
    <>
      <p className="mt-3 max-w-measure text-muted">
        Order <span className="figures">{orderNumber}</span>.{" "}
        {answering
          ? "The General Register Office could not go on with what it has. We deleted your details after sending them, as promised, so please enter them again; we wrote to you what it asks."
          : "Your application has not been sent yet. What you change here is what the General Register Office gets; the price stays the same."}
      </p>
      {problems.length > 0 && <Refused problems={problems} />}
    </>
  );
}

function Refused({ problems }: { problems: readonly string[] }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal is read out.
  useEffect(() => box.current?.focus(), [problems]);
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="alert"
      className="mt-6 rounded-4 border border-l-4 border-danger bg-surface p-5"
    >
      <p className="font-[600]">Nothing was changed</p>
      <ul className="mt-1 space-y-1">
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </div>
  );
}

function NotNow({ orderNumber }: { orderNumber: string }) {
  return (
    <>
      <PageHeading title="Change your application">This cannot be changed now</PageHeading>
      <p className="mt-4 max-w-measure">
        An application can be changed until it is sent to the General Register Office, and answered when the
        office has a question, from the browser you ordered with or from the link in our mails.
      </p>
      <Link className="button button-outlined mt-6" to={trackingOf(orderNumber)}>
        Back to the order
      </Link>
    </>
  );
}

/** Null while it loads; `closed` once it may not be changed any more. An answer starts empty: the details are destroyed. */
function useStart(changeable: Changeable | null): Start | "closed" | null {
  const [start, setStart] = useState<Start | "closed" | null>(null);
  useEffect(() => {
    if (!changeable) return;
    let wanted = true;
    startOf(changeable)
      .catch((failure: unknown) => {
        if (failure instanceof ApiError && failure.status < 500) return "closed" as const;
        throw failure;
      })
      .then(
        (found) => wanted && setStart(found),
        () => wanted && setStart("closed"),
      );
    return () => {
      wanted = false;
    };
  }, [changeable]);
  return start;
}

async function startOf({ id, answering }: Changeable): Promise<Start> {
  if (answering) return { answers: emptyAnswers(), applicant: applicantNamed(await getContactName(id)) };
  const application = await getApplication(id);
  const { customerFirstName, customerLastName } = application;
  return { answers: enteredAnswers(application), applicant: { customerFirstName, customerLastName } };
}
