import { mailOrderLinks } from "../../../contract/orders/tracking.ts";
import { send } from "../../api/send.ts";
import { AddressForm } from "../../ordering/questions/address-form.tsx";

/** Asks for the address that an order was placed with. */
export default function EmailForm({ onAsked }: { onAsked: () => void }) {
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
        buttonClass="button-outlined"
        onSend={async (email, idempotencyKey) => {
          await send(mailOrderLinks, { body: { email } }, { idempotencyKey });
          onAsked();
        }}
      />
    </div>
  );
}
