import { useConfig, usePostalAddress, useSubmittedByHand, useTradingName } from "../../site/config.ts";

/** Section 5 of the terms: cancelling, refunds, and the model form that the law provides. */
export function CancellationTerms() {
  const byHand = useSubmittedByHand();
  return (
    <>
      <h2 id="cancelling">5. Cancelling and refunds</h2>
      <ul>
        <li>
          <strong>Before submission.</strong> You can cancel until the application has been submitted to the
          GRO, either on your order’s page or by telling us. We refund the full amount to the card you paid
          with, within 14 days and at no cost to you.
        </li>
        <li>
          <strong>Your legal right to cancel.</strong> The Consumer Contracts Regulations 2013 give you 14
          days from the day of your order to cancel it without giving a reason. We start work during those 14
          days only because you expressly ask us to, by ticking a separate box before you pay.
        </li>
        <li>
          <strong>After submission.</strong> Once the application has been submitted
          {!byHand && ", usually within minutes of your payment,"} the service has been fully performed and
          you can no longer cancel. You acknowledge this by ticking the same box.
        </li>
        <li>
          <strong>Our own error.</strong> If the service fails through our own error, you get a full refund,
          at any time.
        </li>
        <li>
          <strong>GRO and postal delays.</strong> There is no refund for delays by the GRO or in the post.
        </li>
        <li>
          <strong>If you dispute the payment with your bank.</strong> We make no refund until the bank has
          decided, so that you are not refunded twice. We then refund anything still due to you.
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
      <p className="text-14 text-muted">You can use this form to cancel, but you don’t have to.</p>
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
