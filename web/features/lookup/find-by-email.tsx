import { useEffect, useRef, useState } from "react";
import { mailOrderLinks } from "../../../contract/orders/tracking.ts";
import { send } from "../../api/send.ts";
import { AddressForm } from "./address-form.tsx";

/** For customers without their order number. What is found goes to the address by mail; the page never says. */
export function FindByEmail() {
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState(false);
  return (
    <details
      className="question needs-script mt-6 max-w-form"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="cursor-pointer py-3">I don’t have my order number</summary>
      {open &&
        (asked ? <Asked onAgain={() => setAsked(false)} /> : <EmailForm onAsked={() => setAsked(true)} />)}
    </details>
  );
}

function EmailForm({ onAsked }: { onAsked: () => void }) {
  return (
    <div className="pb-5 pl-6">
      <p className="max-w-measure">
        We can email you links to the orders you placed in the last year. Once we have deleted the contact
        details of an order, we can no longer find it by email address.
      </p>
      <AddressForm
        id="orders-of"
        hint="The address you gave when you ordered."
        action="Email Me Links"
        look="button-outlined"
        onSend={async (email, idempotencyKey) => {
          await send(mailOrderLinks, { body: { email } }, { idempotencyKey });
          onAsked();
        }}
      />
    </div>
  );
}

/** The same words whether or not there are any orders. */
function Asked({ onAgain }: { onAgain: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  // The form that was sent is gone: what took its place is read out.
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} role="status" className="pb-5 pl-6">
      <p className="font-[600]">Check your email</p>
      <p className="mt-1 max-w-measure">
        If we can find orders for that address, links to them will arrive within a few minutes. We send one
        such email every ten minutes at most. If nothing comes, check your spam folder, or try another
        address.
      </p>
      <button type="button" className="link mt-2 min-h-6 cursor-pointer" onClick={onAgain}>
        Use another address
      </button>
    </div>
  );
}
