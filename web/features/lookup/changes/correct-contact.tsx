import { useState } from "react";
import { type ContactChange, changeContact, showContact } from "../../../../contract/orders/own-records.ts";
import type { TrackedOrder } from "../../../../contract/orders/tracking.ts";
import { send } from "../../../api/send.ts";
import type { PersonAnswers } from "../../../ordering/draft/draft.ts";
import { contactChangeOf, enteredContact, reachChangeOf } from "../../../ordering/draft/order-answers.ts";
import { PersonForm, ReachForm } from "../../../ordering/questions/person-form.tsx";
import { useLoaded, useSending } from "../lookup-requests.ts";
import { BackUnchanged, LoadingDetails, NotLoaded, NotNow, Refused } from "./change-frame.tsx";

const title = "Correct your contact details";

/** The correctable contact details of an order. */
interface Correctable {
  id: string;
  parts: "all" | "reach";
}

function correctableIn({ id, contactChange: parts }: TrackedOrder): Correctable | null {
  return id && parts ? { id, parts } : null;
}

/** Corrects the contact details, prefilled for the order's holder. */
export default function CorrectContact({ order, onChanged }: { order: TrackedOrder; onChanged: () => void }) {
  const { orderNumber } = order;
  // The order as it was when the form opened: if it is submitted meanwhile, the form must not vanish while in use.
  const [correctable] = useState(() => correctableIn(order));
  if (!correctable) return <Closed orderNumber={orderNumber} />;
  return <Load correctable={correctable} orderNumber={orderNumber} onChanged={onChanged} />;
}

interface LoadProps {
  correctable: Correctable;
  orderNumber: string;
  onChanged: () => void;
}

function Load({ correctable, orderNumber, onChanged }: LoadProps) {
  const { loaded, again } = useLoaded(async () =>
    enteredContact(await send(showContact, { params: { id: correctable.id } })),
  );
  if (loaded === null) return <LoadingDetails />;
  if (loaded === "closed") return <Closed orderNumber={orderNumber} />;
  if (loaded === "failed") return <NotLoaded title={title} orderNumber={orderNumber} onAgain={again} />;
  return (
    <Correction correctable={correctable} orderNumber={orderNumber} answers={loaded} onChanged={onChanged} />
  );
}

function Closed({ orderNumber }: { orderNumber: string }) {
  return (
    <NotNow title={title} orderNumber={orderNumber}>
      You can correct your contact details until the certificate is on its way, using the browser you ordered
      with or the link in our emails. Write to us if something is wrong after that.
    </NotNow>
  );
}

/** The form keeps its own input: it is sent once, and stored nowhere else. */
const keepNothing = (): void => undefined;

function Correction({
  correctable,
  orderNumber,
  answers,
  onChanged,
}: LoadProps & { answers: PersonAnswers }) {
  const { id, parts } = correctable;
  const {
    send: post,
    sending,
    problems,
  } = useSending<ContactChange>(
    (body, idempotencyKey) => send(changeContact, { params: { id }, body }, { idempotencyKey }),
    onChanged,
  );
  const page = { title, answers, action: sending ? "Sending..." : "Save Changes" };
  const leadWith = (words: string) => (
    <>
      <p className="mt-3 max-w-measure text-muted">
        Order <span className="figures">{orderNumber}</span>. {words}
      </p>
      <Refused problems={problems} />
    </>
  );
  return (
    <>
      {parts === "reach" ? (
        <ReachForm
          {...page}
          lead={leadWith(leads.reach)}
          onDone={(details) => void post(reachChangeOf(details, answers))}
        />
      ) : (
        <PersonForm
          {...page}
          lead={(toSomeoneElse) => leadWith(toSomeoneElse ? leads.allWithRecipient : leads.all)}
          onChange={keepNothing}
          onDone={(details) => void post(contactChangeOf(details, answers))}
        />
      )}
      <BackUnchanged orderNumber={orderNumber} />
    </>
  );
}

const leads = {
  all: "The General Register Office posts the certificate to this address, and we send updates to this email address. If we have already sent our confirmation, we’ll send it again, and tell your previous email address if you change it.",
  allWithRecipient:
    "The General Register Office posts the certificate to the recipient, and we send updates to your email address. If we have already sent our confirmation, we’ll send it again, and tell your previous email address if you change it.",
  reach:
    "The General Register Office may already have your name and postal address, so you cannot change them here: write to us if they are wrong. You can change your email address and phone numbers. If you change your email address, we also tell the previous one.",
} as const;
