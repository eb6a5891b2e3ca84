import { type FormEvent, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { changeContact } from "../../../contract/orders/own-records.ts";
import type { TrackedOrder } from "../../../contract/orders/tracking.ts";
import { questionEmail } from "../../../domain/forms/email-typo.ts";
import { email as emailAnswer } from "../../../domain/forms/personal-details.ts";
import { newIdempotencyKey } from "../../api/idempotency-key.ts";
import { refusalWords } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { changeOf, correctOf } from "../../paths.ts";
import { TextField } from "../../ui/fields/text-field.tsx";
import { changeableIn } from "./changes/change-application.tsx";

/**
 * The holder's possible actions: correct the email address, answer the GRO's question, change the application before
 * submission.
 */
export function HolderTasks({ order, onChanged }: { order: TrackedOrder; onChanged: () => void }) {
  const changeable = changeableIn(order);
  return (
    <>
      {order.id && order.needsAnotherAddress && <AnotherAddress orderId={order.id} onCorrected={onChanged} />}
      {changeable?.answering && <Question orderNumber={order.orderNumber} />}
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
            ? "Is your name, address or email address wrong?"
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

function Question({ orderNumber }: { orderNumber: string }) {
  return (
    <section
      aria-labelledby="question"
      className="no-print mt-8 max-w-form rounded-4 border border-l-4 border-primary bg-surface p-5 sm:p-6"
    >
      <h3 id="question" className="text-22">
        The General Register Office has a question
      </h3>
      <p className="mt-2 max-w-measure">
        It needs more information. We have deleted your details, so please answer by entering them again.
        There is nothing more to pay.
      </p>
      <Link className="button button-primary mt-4" to={changeOf(orderNumber)}>
        Enter the Details Again
      </Link>
    </section>
  );
}

const boxId = "new-email";
const invalid = "Please enter a valid email address";

/**
 * The confirmation was undeliverable: with another address it is sent again. Nothing goes to the GRO before it arrives.
 */
function AnotherAddress({ orderId, onCorrected }: { orderId: string; onCorrected: () => void }) {
  const [address, setAddress] = useState("");
  const { error, sending, correct } = useCorrection(orderId, onCorrected);
  const doubt = questionEmail(address);
  const meant = doubt?.suggestion;
  const take = (answer: string): void => {
    setAddress(answer);
    document.getElementById(boxId)?.focus();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void correct(address);
  };
  return (
    <section
      aria-labelledby="another-address"
      className="no-print mt-8 max-w-form rounded-4 border border-l-4 border-danger bg-surface p-5 sm:p-6"
    >
      <h3 id="another-address" className="text-22">
        Our confirmation didn’t reach you
      </h3>
      <p className="mt-2 max-w-measure">
        Our email to you could not be delivered. We can send your application only after the confirmation has
        reached you, so please give us another email address.
      </p>
      <form noValidate onSubmit={submit} className="mt-4 flex flex-wrap items-end gap-4">
        <div className="min-w-0 flex-[1_1_16rem]">
          <TextField
            id={boxId}
            label="Email"
            error={error}
            question={doubt?.message}
            suggestion={meant === undefined ? undefined : { answer: meant, take: () => take(meant) }}
            type="email"
            autoComplete="email"
            spellCheck={false}
            maxLength={254}
            value={address}
            onChange={(event) => setAddress(event.target.value)}
          />
        </div>
        <button type="submit" className="button button-primary" aria-disabled={sending || undefined}>
          {sending ? "Sending..." : "Send Confirmation Again"}
        </button>
      </form>
    </section>
  );
}

function useCorrection(orderId: string, onCorrected: () => void) {
  const [error, setError] = useState<string>();
  const [sending, setSending] = useState(false);
  const tried = useRef({ address: "", key: "" });
  const correct = async (typed: string): Promise<void> => {
    if (sending) return;
    const { data: address } = emailAnswer.safeParse(typed);
    setError(address === undefined ? invalid : undefined);
    if (address === undefined) return document.getElementById(boxId)?.focus();
    if (tried.current.address !== address) tried.current = { address, key: newIdempotencyKey() };
    setSending(true);
    try {
      const said = { params: { id: orderId }, body: { email: address } };
      await send(changeContact, said, { idempotencyKey: tried.current.key });
      onCorrected();
    } catch (failure) {
      setError(refusalWords(failure).join(" "));
    } finally {
      setSending(false);
    }
  };
  return { error, sending, correct };
}
