import { useConfig, useTradingName } from "../../api/get-config.ts";
import { ProsePage } from "./prose-page.tsx";

/** /terms: what one agrees to in step 4. The version is stored with each order. */
export default function TermsPage() {
  const name = useTradingName();
  const config = useConfig().data;
  return (
    <ProsePage
      title="Terms & Conditions"
      lead={
        config
          ? `Version ${config.termsVersion}. The version you agree to is stored with your order.`
          : undefined
      }
    >
      <h2>Who we are</h2>
      <p>
        {name} is a private company. It is not affiliated with the General Register Office (GRO) or any other
        government body. You can order from the GRO directly.
      </p>
      <h2>What you buy</h2>
      <p>
        We fill in the GRO’s application with your answers, submit it and pay the GRO’s fee. The GRO prints
        the certificate and posts it to you; we neither print nor deliver it. You should be 18 or over, or
        have the consent of a parent or guardian.
      </p>
      <h2>Prices and payment</h2>
      <ul>
        <li>Prices include the GRO’s fee, our administration fee and postage for the delivery you choose.</li>
        <li>An administration fee may be charged to correct errors in what you gave us. We ask you first.</li>
        <li>Payment is handled by a card payment provider. We store no card details.</li>
      </ul>
      <h2>How long it takes</h2>
      <p>
        Standard certificates are despatched about 15 working days after the GRO receives the application,
        priority ones on the next working day. What reaches the GRO by 16:00 on a working day counts for that
        day.
      </p>
      <Cancelling />
      <h2>Liability, law and complaints</h2>
      <p>
        Our liability is limited to the amount you paid; nothing here limits the rights you have by law.
        English law applies. Complaints: write to {config?.supportEmail ?? "our support address"}, and a
        person answers.
      </p>
    </ProsePage>
  );
}

function Cancelling() {
  return (
    <>
      <h2>Cancelling and refunds</h2>
      <ul>
        <li>You can cancel with a full refund until the application has been submitted to the GRO.</li>
        <li>
          The law gives you 14 days to cancel a service. You ask us to begin within them; once the application
          has been submitted, the service is performed and that right has ended.
        </li>
        <li>If the failure is our own error, you get everything back.</li>
        <li>If the GRO does not find the record, we pass on what it returns.</li>
        <li>There is no refund for delays of the GRO or of the post.</li>
      </ul>
    </>
  );
}
