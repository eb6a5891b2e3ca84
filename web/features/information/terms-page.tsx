import { Link } from "react-router-dom";
import { mostOrders } from "../../../domain/checkout/shares.ts";
import { currentTerms } from "../../../domain/forms/agreements.ts";
import { formatPounds } from "../../../domain/pricing/money.ts";
import { groFees } from "../../../domain/pricing/price-list.ts";
import { cutOffWords, despatchWorkingDays } from "../../../domain/promise/timetable.ts";
import { contactLines, registrationLines } from "../../../domain/settings/company.ts";
import { official, pages } from "../../paths.ts";
import { useConfig, usePostalAddress, useSubmittedByHand, useTradingName } from "../../site/config.ts";
import { Dated, ProsePage } from "./prose-page.tsx";

/** /terms: what the customer agrees to in step 4. The version is stored with each order. */
export default function TermsPage() {
  return (
    <ProsePage
      title="Terms & Conditions"
      lead={<Dated text={currentTerms}>The version you agree to is stored with your order.</Dated>}
    >
      <WhoAndWhat />
      <Paying />
      <h2>4. How long it takes</h2>
      <ul>
        <li>
          Standard certificates are despatched about {despatchWorkingDays.standard} working days after the GRO
          receives the form.
        </li>
        <li>Priority certificates are despatched on the next working day after the GRO receives it.</li>
        <li>{cutOffWords} The dates we give are estimates. Neither the GRO nor the post guarantees them.</li>
      </ul>
      <CancellationTerms />
      <Standing />
    </ProsePage>
  );
}

function WhoAndWhat() {
  const name = useTradingName();
  const address = usePostalAddress();
  const company = useConfig().data;
  return (
    <>
      <h2>1. Who we are</h2>
      <p>
        {name} is the trading name of a private company at {address}. It is not affiliated with the General
        Register Office (GRO) or any other government body. You can{" "}
        <a className="link" href={official.order}>
          order from the GRO
        </a>{" "}
        directly and pay only its fee.
      </p>
      {company && (
        <p>{[...registrationLines(company), `Write to ${contactLines(company).join(", ")}.`].join(" ")}</p>
      )}
      <h2>2. What you buy</h2>
      <ul>
        <li>
          We fill in the GRO’s application with your answers, submit it, pay the GRO’s fee and keep you
          informed. That completes our service.
        </li>
        <li>
          The GRO prints the certificate and posts it to you. We neither print nor deliver certificates.
        </li>
        <li>
          We take applications for events registered in England and Wales. The GRO decides whether a record is
          found and a certificate issued.
        </li>
        <li>You should be 18 or over, or have the consent of a parent or guardian.</li>
        <li>
          What you tell us must be true to the best of your knowledge. You can order a certificate for
          yourself, for someone else, or for a company you act for.
        </li>
      </ul>
    </>
  );
}

function Paying() {
  return (
    <>
      <h2>3. Prices and payment</h2>
      <ul>
        <li>
          Prices are in pounds sterling and include the GRO’s fee, our administration fee and postage for the
          delivery you choose. The price breakdown is under{" "}
          <Link className="link" to={pages.pricing}>
            Pricing
          </Link>
          . You pay the price shown when you pay.
        </li>
        <li>
          An administration fee may be charged to correct errors in the details you gave us, once they have
          been submitted. We tell you how much it is and charge it only if you agree.
        </li>
        <li>
          Payment is by card and handled by a card payment provider. Your card details go straight to the
          provider: we store no card details.
        </li>
        <li>
          You can pay for up to {mostOrders} certificates together. Each is an order of its own: you can
          cancel one and keep the others.
        </li>
        <li>The contract begins when your payment is confirmed. We then email you a confirmation to keep.</li>
        <li>If you do not pay within 24 hours, your order lapses and we delete what you entered.</li>
        <li>
          If the GRO does not find the record, it keeps {formatPounds(groFees.keptWhenNotFoundPence)} of its
          fee for each copy. We refund what it returns to the card you paid with.
        </li>
      </ul>
    </>
  );
}

function Standing() {
  const email = useConfig().data?.supportEmail ?? "our support address";
  return (
    <>
      <h2>6. If something goes wrong</h2>
      <ul>
        <li>
          We must provide the service with reasonable care and skill. If we do not, tell us and we will put it
          right or refund you.
        </li>
        <li>
          Our liability is limited to the amount you paid. This does not limit anything that the law does not
          allow us to limit: liability for death or personal injury caused by negligence, liability for fraud,
          and your rights as a consumer.
        </li>
        <li>
          We are not liable for what the GRO or the post does, or for answers that were wrong when you gave
          them.
        </li>
      </ul>
      <h2>7. Complaints</h2>
      <p>
        Email {email}, or use the form on{" "}
        <Link className="link" to={pages.support}>
          Support
        </Link>
        : it opens a conversation on a private page, and a person will reply. For complaints about personal
        data, use the{" "}
        <Link className="link" to={pages.dataProtection}>
          separate form
        </Link>
        .
      </p>
      <h2>8. Law, and these terms</h2>
      <ul>
        <li>
          English law applies. If you live elsewhere in the United Kingdom, you may also go to the courts
          there.
        </li>
        <li>
          New terms get a new version and apply only to later orders. Version 1 was last updated on 29 April
          2025, versions 2 and 3 on 21 November 2026, version 4 on 22 November 2026, and version 5 on 27
          November 2026.
        </li>
        <li>
          Our{" "}
          <Link className="link" to={pages.privacy}>
            privacy policy
          </Link>{" "}
          explains what we do with your data.
        </li>
      </ul>
    </>
  );
}

/** Section 5 of the terms: cancelling, refunds, and the model form that the law provides. */
function CancellationTerms() {
  const byHand = useSubmittedByHand();
  return (
    <>
      <h2 id="cancelling">5. Cancelling and refunds</h2>
      <ul>
        <li>
          <strong>Before submission.</strong> You can cancel until the application has been submitted to the
          GRO, either on your order’s page or by telling us. We refund the full amount you paid for the order
          to the card you paid with, within 14 days and at no cost to you.
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
