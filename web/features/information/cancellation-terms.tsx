import { useConfig, usePostalAddress, useSubmittedByHand, useTradingName } from "../../api/get-config.ts";

/** Section 5 of the terms: cancelling, refunds, and the model form that the law provides. */
export function CancellationTerms() {
  const byHand = useSubmittedByHand();
  return (
    <>
      <h2 id="cancelling">5. Cancelling and refunds</h2>
      <ul>
        <li>
          <strong>Before submission.</strong> You can cancel until the application has been submitted to the
          GRO, on your order’s page or by telling us. You get everything back, on the card you paid with,
          within 14 days and without any fee.
        </li>
        <li>
          <strong>The 14 days of the law.</strong> The Consumer Contracts Regulations 2013 give you 14 days
          from the day of your order to cancel it without a reason. We begin within them only because you
          expressly ask us to, in a box of its own, before you pay.
        </li>
        <li>
          <strong>After submission.</strong> Once the application has been submitted
          {!byHand && ", usually within minutes of your payment,"} the service is fully performed and the
          right to cancel has ended. You acknowledge this in the same box.
        </li>
        <li>
          <strong>Our own error.</strong> If the service fails through our own error, you get a full refund,
          at any time.
        </li>
        <li>
          <strong>The GRO and the post.</strong> There is no refund for their delays.
        </li>
        <li>
          <strong>If you dispute the payment with your bank.</strong> Until the bank has decided we make no
          refund of our own, so that nothing is returned twice. What is still due to you then follows.
        </li>
      </ul>
      <ModelForm />
    </>
  );
}

function ModelForm() {
  const name = useTradingName();
  const address = usePostalAddress();
  const email = useConfig().data?.supportEmail;
  return (
    <section
      aria-labelledby="model-form"
      className="card mt-6 rounded-4 border border-hairline bg-surface px-5 pt-1 pb-5"
    >
      <h3 id="model-form" className="mt-4 text-22">
        Model cancellation form
      </h3>
      <p className="text-14 text-muted">You may use this form to cancel, but you need not.</p>
      <p>
        To {name}, {address}
        {email && `, ${email}`}:
      </p>
      <p>I hereby give notice that I cancel my contract for the supply of the following service:</p>
      <ul>
        <li>Order number:</li>
        <li>Ordered on:</li>
        <li>Name of consumer:</li>
        <li>Address of consumer:</li>
        <li>Signature of consumer (only if this form is notified on paper):</li>
        <li>Date:</li>
      </ul>
    </section>
  );
}
