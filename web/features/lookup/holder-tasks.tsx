import { useEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { cancelOrder, changeContact } from "../../../contract/orders/own-records.ts";
import type { TrackedOrder } from "../../../contract/orders/tracking.ts";
import { ApiError } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { AddressForm } from "../../ordering/questions/address-form.tsx";
import { changeOf, correctOf } from "../../paths.ts";

/** A changeable application: not sent yet, or in question at the GRO and already destroyed here. */
export interface Changeable {
  id: string;
  type: NonNullable<TrackedOrder["certificateType"]>;
  answering: boolean;
}

export function changeableIn(order: TrackedOrder): Changeable | null {
  const { id, certificateType: type, canAmend, question } = order;
  return id && type && (canAmend || question) ? { id, type, answering: question === true } : null;
}

/**
 * The holder's possible actions: correct the email address, answer the GRO's question, change the application before
 * submission.
 */
export function HolderTasks({ order, onChanged }: { order: TrackedOrder; onChanged: () => void }) {
  const changeable = changeableIn(order);
  const [sentTo, setSentTo] = useState<string>();
  const isSent = sentTo !== undefined && order.unreachedBy === null;
  const corrected = (email: string): void => {
    setSentTo(email);
    onChanged();
  };
  return (
    <>
      {order.id && order.unreachedBy !== null && (
        <AnotherAddress orderId={order.id} missed={order.unreachedBy} onCorrected={corrected} />
      )}
      <p role="status" className={isSent ? "no-print mt-8 max-w-measure wrap-anywhere" : "sr-only"}>
        {isSent && `Thank you. We are sending what you missed to ${sentTo}.`}
      </p>
      {changeable?.answering && <Question order={order} />}
      {changeable && !changeable.answering && (
        <p className="no-print mt-5">
          Your application has not been sent yet. You can{" "}
          <Link className="link" to={changeOf(order.orderNumber)}>
            change it
          </Link>
          .
        </p>
      )}
      {order.id && order.contactChange && (
        <p className="no-print mt-5">
          {order.contactChange === "all"
            ? `Is ${order.recipientName === null ? "your" : "a"} name, address or email address wrong?`
            : "Has your email address or phone number changed?"}{" "}
          <Link className="link" to={correctOf(order.orderNumber)}>
            Correct your contact details
          </Link>
          .
        </p>
      )}
    </>
  );
}

const enterAgain =
  "We have deleted your details, so please answer by entering them again. There is nothing more to pay.";

function Question({ order: { orderNumber, questionText } }: { order: TrackedOrder }) {
  return (
    <section
      aria-labelledby="question"
      className="no-print mt-8 max-w-form rounded-4 border border-l-4 border-primary bg-surface p-5 sm:p-6"
    >
      <h3 id="question" className="text-22">
        The General Register Office has a question
      </h3>
      {questionText !== null && <QuestionText text={questionText} />}
      <p className="mt-2 max-w-measure">
        {questionText === null ? `It needs more information. ${enterAgain}` : enterAgain}
      </p>
      <Link className="button button-primary mt-4" to={changeOf(orderNumber)}>
        Enter the Details Again
      </Link>
    </section>
  );
}

/** What the GRO asks, word for word; a browser may translate it. */
export function QuestionText({ text }: { text: string }) {
  return (
    <blockquote
      translate="yes"
      className="mt-3 max-w-measure border-l-3 border-hairline pl-4 wrap-anywhere whitespace-pre-line"
    >
      {text}
    </blockquote>
  );
}

const missedWords = {
  confirmation: {
    title: "Our confirmation didn’t reach you",
    text: "Our email to you could not be delivered. We can send your application only after the confirmation has reached you, so please give us another email address.",
    action: "Send Confirmation Again",
  },
  email: {
    title: "We could not reach you",
    text: "An email about this order came back to us. Please give us another email address, or enter the same one if it works again. We’ll then send what you missed.",
    action: "Send Emails Again",
  },
} as const;

interface AnotherAddressProps {
  orderId: string;
  missed: keyof typeof missedWords;
  onCorrected: (email: string) => void;
}

/**
 * A mail did not arrive: it is sent again to the address given. Before its first submission, an order waits for a
 * confirmation that arrives.
 */
function AnotherAddress({ orderId, missed, onCorrected }: AnotherAddressProps) {
  const { title, text, action } = missedWords[missed];
  return (
    <section
      aria-labelledby="another-address"
      className="no-print mt-8 max-w-form rounded-4 border border-l-4 border-danger bg-surface p-5 sm:p-6"
    >
      <h3 id="another-address" className="text-22">
        {title}
      </h3>
      <p className="mt-2 max-w-measure">{text}</p>
      <AddressForm
        id="new-email"
        action={action}
        buttonClass="button-primary"
        onSend={async (email, idempotencyKey) => {
          await send(changeContact, { params: { id: orderId }, body: { email } }, { idempotencyKey });
          onCorrected(email);
        }}
      />
    </section>
  );
}

type Stage = "offered" | "asked" | "cancelling" | "refused" | "received";

/** Cancels the order while possible; otherwise says why not. */
export function CancelOrder({ order, onCancelled }: { order: TrackedOrder; onCancelled: () => void }) {
  if (order.canCancel === true && order.id)
    return <OfferToCancel id={order.id} paid={order.status !== "Pending"} onCancelled={onCancelled} />;
  const submitted = order.status === "Processing" && order.canCancel === false && order.receipt;
  return submitted ? (
    <p className="text-14 text-muted lg:max-w-60 lg:text-right">
      You can no longer cancel: the GRO has your application.
    </p>
  ) : null;
}

/** One key per order: asking twice cancels once. @throws as `send` does */
export const askToCancel = (id: string) =>
  send(
    cancelOrder,
    { params: { id }, body: { reason: "customerRequest" } },
    { idempotencyKey: `cancel-${id}` },
  );

/** Why an order was refused its cancellation; null if the answer was lost: it may be cancelled all the same. */
export const whyNotCancelled = (failure: unknown): string | null =>
  failure instanceof ApiError && failure.status < 500 ? (failure.detail ?? "Please try again.") : null;

interface OfferProps {
  id: string;
  paid: boolean;
  onCancelled: () => void;
}

function OfferToCancel({ id, paid, onCancelled }: OfferProps) {
  const [stage, setStage] = useState<Stage>("offered");
  const [problem, setProblem] = useState("");
  const { button, noteKept } = useFocusOnceKept(stage);
  const cancel = async (): Promise<void> => {
    if (stage === "cancelling") return;
    setStage("cancelling");
    try {
      await askToCancel(id);
      // Until the page has the order anew, which may take several tries.
      setStage("received");
      onCancelled();
    } catch (failure) {
      const reason = whyNotCancelled(failure);
      setProblem(
        reason === null
          ? "We don’t know whether the order was cancelled. Please try again."
          : `The order was not cancelled. ${reason}`,
      );
      setStage("refused");
    }
  };
  if (stage === "received") return <p role="status">We have received your cancellation.</p>;
  if (stage !== "offered") {
    const keep = (): void => {
      noteKept();
      setStage("offered");
    };
    return (
      <AskToCancel stage={stage} paid={paid} problem={problem} onYes={() => void cancel()} onNo={keep} />
    );
  }
  return (
    <button
      ref={button}
      type="button"
      className="button button-small button-outlined no-print"
      onClick={() => setStage("asked")}
    >
      Cancel Order
    </button>
  );
}

/** Keeping the order (stage `offered`) returns the focus to the button, which had been replaced by the question. */
export function useFocusOnceKept(stage: string) {
  const button = useRef<HTMLButtonElement>(null);
  const kept = useRef(false);
  useEffect(() => {
    if (stage === "offered" && kept.current) button.current?.focus();
  }, [stage]);
  const noteKept = (): void => {
    kept.current = true;
  };
  return { button, noteKept };
}

interface AskToCancelProps {
  stage: Exclude<Stage, "offered" | "received">;
  paid: boolean;
  problem: string;
  onYes: () => void;
  onNo: () => void;
}

function AskToCancel({ stage, paid, problem, onYes, onNo }: AskToCancelProps) {
  const cancelling = stage === "cancelling";
  const question = useRef<HTMLFieldSetElement>(null);
  // The pressed button is gone: the question in its place is read out.
  useEffect(() => question.current?.focus(), []);
  return (
    <fieldset ref={question} tabIndex={-1} className="no-print max-w-sm">
      <legend className="font-[600]">
        Cancel this order?{" "}
        {paid ? "We’ll refund everything you have paid for it." : "You haven’t paid anything for it."}
      </legend>
      {stage === "refused" && (
        <p role="alert" className="mt-1 text-danger">
          {problem}
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-3">
        <button
          type="button"
          className="button button-small button-primary"
          aria-disabled={cancelling || undefined}
          onClick={onYes}
        >
          {cancelling ? "Cancelling..." : "Yes, Cancel Order"}
        </button>
        <button type="button" className="button button-small button-outlined" onClick={onNo}>
          Keep Order
        </button>
      </div>
    </fieldset>
  );
}
