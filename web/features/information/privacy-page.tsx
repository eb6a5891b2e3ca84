import { Link } from "react-router-dom";
import { currentPrivacyNotice } from "../../../domain/agreements.ts";
import { useConfig, usePostalAddress, useSubmittedByHand, useTradingName } from "../../api/get-config.ts";
import { official, pages } from "../../paths.ts";
import { Dated } from "./dated.tsx";
import { ProsePage } from "./prose-page.tsx";
import { RetentionTable } from "./retention-table.tsx";

/** /privacy: what is collected, why, when it is destroyed, who sees it, and what one can ask for. */
export default function PrivacyPage() {
  return (
    <ProsePage title="Privacy Policy" lead={<Dated text={currentPrivacyNotice} />}>
      <Collecting />
      <h2>When it is destroyed</h2>
      <RetentionTable />
      <p>
        Destroying means that the only key which opens a record is overwritten, and that we then check that
        nothing opens it. The keys lie in one place, outside the database, and are never backed up; so the
        copies in backups are destroyed with them. Your order’s page shows a receipt of it.
      </p>
      <Sharing />
      <Rights />
    </ProsePage>
  );
}

function Collecting() {
  const name = useTradingName();
  const address = usePostalAddress();
  return (
    <>
      <p>
        {name}, {address}, is the controller of what you give us here. This page says what we do with it
        today.
      </p>
      <h2>What we collect</h2>
      <ul>
        <li>Your full name and title, and your company if you give one.</li>
        <li>Your e-mail address, your phone numbers and your postal address.</li>
        <li>The certificate details: what the register needs to find the entry, and your signature.</li>
        <li>
          Payment information: that, when and how much you paid. Your card details go straight to the payment
          provider; we never see or store them.
        </li>
        <li>What you write to us when you ask for help, and what our staff note about your order.</li>
        <li>
          Fingerprints of your e-mail address, surname and postcode, made with a secret key: by them we find
          your order when you write to us. They cannot be read back.
        </li>
      </ul>
      <h2>Why we may</h2>
      <p>
        We need your details to carry out our contract with you, and the law asks us to keep some evidence of
        it. We keep basic contact data because you and we may have questions about an order after it is
        complete: a legitimate interest of both. We send marketing only if you opt in; at present we send
        none.
      </p>
    </>
  );
}

function Sharing() {
  const byHand = useSubmittedByHand();
  return (
    <>
      <h2>Who sees it</h2>
      <ul>
        <li>The General Register Office, which needs all of the application.</li>
        <li>
          The payment provider, which learns your card details and the amount, but not what the certificate is
          about.
        </li>
        {byHand ? (
          <li>Those of our staff who fill in the form and hand it to the GRO.</li>
        ) : (
          <li>An automation service that builds the form and hands it to the GRO.</li>
        )}
      </ul>
      <p>
        Nobody else is given your data. Our e-mail and our servers are run for us by providers who act on our
        instructions alone; our e-mails hold no certificate details. We sell nothing and we share nothing with
        advertisers. Data is processed within the UK and the EEA.
      </p>
      <h2>When our staff look</h2>
      <p>
        Our staff work on your order without seeing who you are. To read your details they must give a reason
        from a fixed list, and who looked, when, at what and why is recorded before anything opens: without
        the record, nothing does. They use it only to help you with your order or to do what the law asks.
        What has been destroyed they cannot see either.
      </p>
      <h2>If a payment is disputed</h2>
      <p>
        When you ask your bank to take a payment back, it tells us through the payment provider. Your contact
        details are then kept until that has ended. Your certificate details are not: they are destroyed as
        always.
      </p>
      <h2>Cookies</h2>
      <p>
        Minimal: one for each order, so that your browser can open it again, and no tracking.{" "}
        <Link className="link" to={pages.cookies}>
          All of them are listed
        </Link>
        .
      </p>
    </>
  );
}

function Rights() {
  const email = useConfig().data?.supportEmail ?? "our support address";
  return (
    <>
      <h2>Under 18</h2>
      <p>If you are under 18 you need the consent of a parent or guardian to use this service.</p>
      <h2>Your rights</h2>
      <p>
        The UK GDPR gives you the right to see your data, to have it corrected, erased or restricted, to
        receive it in a form you can take elsewhere, and to object to what we do with it. Write to {email}, or
        choose ‘My personal data’ in the form on{" "}
        <Link className="link" to={pages.support}>
          Support
        </Link>
        . We answer within one month, once we are sure that it is you.
      </p>
      <ul>
        <li>
          <strong>To see it.</strong> You get an account of everything we hold: your details, what was noted,
          your conversations with us, payments, e-mails, and each time that somebody looked, with the reason;
          as a document to read, or as a file for another service. What has been destroyed cannot be shown to
          anyone any more, not even to you.
        </li>
        <li>
          <strong>To have it erased.</strong> What no law and no open order, refund, dispute or conversation
          needs goes at once, and the rest as soon as that has ended. We tell you what is kept, until when and
          why.
        </li>
        <li>
          <strong>To have it corrected.</strong> Until the application has been submitted you can correct it
          and your contact details yourself, on your order’s page. What was wrong is destroyed.
        </li>
      </ul>
      <p>
        If you think we have done something wrong, tell us on{" "}
        <Link className="link" to={pages.dataProtection}>
          Data protection complaints
        </Link>
        ; we acknowledge it within 30 days. You may also complain to the regulator, the{" "}
        <a className="link" href={official.regulator}>
          Information Commissioner’s Office
        </a>
        .
      </p>
      <p>
        Version 1 of this policy was last updated April 29, 2025; versions 2 and 3 are of 21 November 2026.
      </p>
    </>
  );
}
