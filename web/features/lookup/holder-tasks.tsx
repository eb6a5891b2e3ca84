import { Link } from "react-router-dom";
import { changeContact } from "../../../contract/orders/own-records.ts";
import type { TrackedOrder } from "../../../contract/orders/tracking.ts";
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

/**
 * The confirmation was undeliverable: with another address it is sent again. Nothing goes to the GRO before it arrives.
 */
function AnotherAddress({ orderId, onCorrected }: { orderId: string; onCorrected: () => void }) {
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
      <AddressForm
        id="new-email"
        action="Send Confirmation Again"
        buttonClass="button-primary"
        onSend={async (email, idempotencyKey) => {
          await send(changeContact, { params: { id: orderId }, body: { email } }, { idempotencyKey });
          onCorrected();
        }}
      />
    </section>
  );
}
