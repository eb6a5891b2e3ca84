import { useCallback, useState } from "react";
import {
  changeApplication,
  type OwnApplication,
  showApplication,
  showContact,
} from "../../../../contract/orders/own-records.ts";
import type { TrackedOrder } from "../../../../contract/orders/tracking.ts";
import { type Applicant, applicantNamed } from "../../../../domain/forms/names.ts";
import { formatPounds } from "../../../../domain/pricing/money.ts";
import { groFees } from "../../../../domain/pricing/price-list.ts";
import { send } from "../../../api/send.ts";
import {
  type CertificateAnswers,
  emptyAnswers,
  validDetails,
} from "../../../ordering/draft/certificate-answers.ts";
import { applicationOf, enteredAnswers } from "../../../ordering/draft/order-answers.ts";
import { CertificateForm } from "../../../ordering/questions/certificates/certificate-form.tsx";
import { todayInLondon } from "../../../ui/dates.ts";
import { type Changeable, changeableIn, QuestionText } from "../holder-tasks.tsx";
import { useLoaded, useSending } from "../lookup-requests.ts";
import { BackUnchanged, LoadingDetails, NotLoaded, NotNow, Refused } from "./change-frame.tsx";

/** What the form starts with. */
interface Start {
  answers: CertificateAnswers;
  applicant: Applicant;
}

const titleOf = ({ answering }: Changeable): string =>
  answering ? "Answer the GRO's question" : "Change your application";

/** Changing the application before it is sent, or answering the GRO's question after it. */
export default function ChangeApplication({
  order,
  onChanged,
}: {
  order: TrackedOrder;
  onChanged: () => void;
}) {
  // The order as it was when the form opened: if it is submitted meanwhile, the form must not vanish while in use.
  const [changeable] = useState(() => changeableIn(order));
  if (!changeable) return <Closed orderNumber={order.orderNumber} />;
  return <Load order={order} changeable={changeable} onChanged={onChanged} />;
}

function Load({ order, changeable, onChanged }: Omit<ChangeFormProps, "start">) {
  const { orderNumber } = order;
  const { loaded, again } = useLoaded(() => startOf(changeable));
  if (loaded === null) return <LoadingDetails />;
  if (loaded === "closed") return <Closed orderNumber={orderNumber} />;
  if (loaded === "failed")
    return <NotLoaded title={titleOf(changeable)} orderNumber={orderNumber} onAgain={again} />;
  return <ChangeForm order={order} changeable={changeable} start={loaded} onChanged={onChanged} />;
}

function Closed({ orderNumber }: { orderNumber: string }) {
  return (
    <NotNow title="Change your application" orderNumber={orderNumber}>
      You can change an application until it is sent to the General Register Office, or answer a question from
      that office, using the browser you ordered with or the link in our emails.
    </NotNow>
  );
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
  const {
    send: post,
    sending,
    problems,
  } = useSending<OwnApplication>(
    (body, idempotencyKey) =>
      send(changeApplication, { params: { id }, body: { ...body } }, { idempotencyKey }),
    onChanged,
  );
  const sendAnswers = (): void => {
    const valid = validDetails({ ...answers, certificateType: type }, todayInLondon());
    if (valid) void post(applicationOf(valid, start.applicant));
  };
  const action = answering ? "Send Answer" : "Save Changes";
  return (
    <>
      <CertificateForm
        type={type}
        title={titleOf(changeable)}
        lead={<Lead answering={answering} order={order} problems={problems} />}
        answers={start.answers}
        onChange={keep}
        action={sending ? "Sending..." : action}
        whenStopped="Your order has not been changed. If you have any questions about it, please contact support."
        onDone={sendAnswers}
      />
      <BackUnchanged orderNumber={order.orderNumber} />
    </>
  );
}

interface LeadProps {
  answering: boolean;
  order: TrackedOrder;
  problems: readonly string[];
}

function Lead({ answering, order: { orderNumber, questionText }, problems }: LeadProps) {
  return (
    <>
      <p className="mt-3 max-w-measure text-muted">
        Order <span className="figures">{orderNumber}</span>.{" "}
        {answering
          ? "The General Register Office needs more information. We deleted your details after sending them, as promised, so please enter them again. Check each answer against what you know of the entry."
          : "Your application has not been sent yet. We’ll send the General Register Office the details as you change them here. The price stays the same."}
      </p>
      {answering && questionText !== null && <QuestionText text={questionText} />}
      {!answering && (
        <p className="mt-3 max-w-measure text-muted">
          The price is the same with or without a GRO reference. If you add one now, the GRO does not charge
          its search fee of {formatPounds(groFees.searchPence)} a copy. That part of your price then pays for
          our service instead, as in every order with a reference. If you remove one, we pay the fee from our
          part.
        </p>
      )}
      <Refused problems={problems} />
    </>
  );
}

async function startOf({ id, answering }: Changeable): Promise<Start> {
  if (answering)
    return {
      answers: emptyAnswers(),
      applicant: applicantNamed(await send(showContact, { params: { id } })),
    };
  const application = await send(showApplication, { params: { id } });
  // The name as ordered: if it was corrected since, the submission takes it from the contact.
  const { customerFirstName, customerLastName } = application;
  return { answers: enteredAnswers(application), applicant: { customerFirstName, customerLastName } };
}
