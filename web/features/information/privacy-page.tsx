import { Link } from "react-router-dom";
import { currentPrivacyNotice } from "../../../domain/forms/agreements.ts";
import { closedAfterWorkingDays } from "../../../domain/promise/timetable.ts";
import { official, pages } from "../../paths.ts";
import {
  useConfig,
  usePostalAddress,
  useRetentionWords,
  useSubmittedByHand,
  useTradingName,
} from "../../site/config.ts";
import { Dated, ProsePage } from "./prose-page.tsx";

/** /privacy: what is collected, why, when it is destroyed, who sees it, and what one can ask for. */
export default function PrivacyPage() {
  return (
    <ProsePage title="Privacy Policy" lead={<Dated text={currentPrivacyNotice} />}>
      <Collecting />
      <h2>When we delete it</h2>
      <RetentionTable />
      <p>
        To delete a record, we overwrite the only key that opens it, then check that it can no longer be
        opened. Keys are kept outside the database and are never backed up, so copies in backups become
        unreadable too. Your order’s page shows a receipt.
      </p>
      <p>
        An order is closed when you tell us that the certificate has arrived, or otherwise{" "}
        {closedAfterWorkingDays} working days after its despatch. An order that is cancelled or fails is
        closed at once.
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
        {name}, {address}, is the controller of the personal data you give us here. This page explains what we
        do with it.
      </p>
      <h2>What we collect</h2>
      <ul>
        <li>Your full name and title, and your company if you give one.</li>
        <li>Your email address, phone numbers and postal address.</li>
        <li>
          The name and address of anyone else you have the certificate posted to, and your own reference for
          the order, if you give them.
        </li>
        <li>The certificate details: what the register needs to find the entry, and your signature.</li>
        <li>
          Payment information: whether, when and how much you paid. Your card details go straight to the
          payment provider; we never see or store them.
        </li>
        <li>What you write to us when you ask for help, and our staff’s notes about your order.</li>
        <li>What the GRO asks about your application, until you have answered.</li>
        <li>
          Fingerprints of your email address, surname and postcode, made with a secret key. We use them to
          find your order when you contact us. They cannot be turned back into the originals.
        </li>
      </ul>
      <h2>Our lawful basis</h2>
      <p>
        We need your details to perform our contract with you, and the law requires us to keep some evidence
        of it. We keep basic contact data because you or we may have questions about an order after it is
        complete, which is a legitimate interest of both. We keep an unfinished order only if you ask us to,
        as a step before a contract. We send marketing only if you opt in; at present we send none.
      </p>
    </>
  );
}

function Sharing() {
  const byHand = useSubmittedByHand();
  return (
    <>
      <h2>Who we share it with</h2>
      <ul>
        <li>The General Register Office, which needs the whole application.</li>
        <li>
          The payment provider, which receives your card details and the amount, but not what the certificate
          is about.
        </li>
        {byHand ? (
          <li>Our staff who fill in the form and submit it to the GRO.</li>
        ) : (
          <li>An automation service that builds the form and submits it to the GRO.</li>
        )}
      </ul>
      <p>
        We do not share your data with anyone else. Providers who act only on our instructions run our email
        and servers, and our emails contain no certificate details. We sell nothing and share nothing with
        advertisers. Data is processed within the UK and the EEA.
      </p>
      <h2>When our staff read your details</h2>
      <p>
        Our staff work on your order without seeing who you are. To read your details they must give a reason
        from a fixed list, and who read what, when and why is recorded before anything opens. If it cannot be
        recorded, nothing opens. They read your details only to help you with your order or to meet a legal
        duty. They cannot see anything that has been deleted.
      </p>
      <h2>If a certificate is posted to you for someone else</h2>
      <p>
        The person who orders it gives us your name and address. We give them to the GRO, which posts the
        certificate, and show them only to that person and to staff with a reason. We keep them as long as
        that person’s own contact details. Your rights below are the same: tell us the order number, or who
        ordered it.
      </p>
      <h2>If a payment is disputed</h2>
      <p>
        If you ask your bank to reverse a payment, the payment provider tells us. We then keep your contact
        details until the dispute has ended. We still delete your certificate details as usual.
      </p>
      <h2>Cookies</h2>
      <p>
        Minimal: one for each order, so that your browser can open it again, and none for tracking.{" "}
        <Link className="link" to={pages.cookies}>
          See the full list
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
      <p>If you are under 18, you need the consent of a parent or guardian to use this service.</p>
      <h2>Your rights</h2>
      <p>
        The UK GDPR gives you the right to see your data, to have it corrected, erased or restricted, to
        receive it in a portable format, and to object to how we use it. Email {email}, or choose ‘My personal
        data’ in the form on{" "}
        <Link className="link" to={pages.support}>
          Support
        </Link>
        . We answer within one month, once we have confirmed who you are.
      </p>
      <ul>
        <li>
          <strong>See your data.</strong> We give you a copy of everything we hold: your details, notes about
          your order, your conversations with us, payments, emails, and each time a member of staff read your
          details, with the reason. You can have it as a document or as a file for another service. We cannot
          show you anything that has already been deleted.
        </li>
        <li>
          <strong>Have it erased.</strong> We erase at once anything we don’t need for an open order, refund,
          dispute or conversation, or for a legal duty, and the rest as soon as that need ends. We tell you
          what we keep, until when and why.
        </li>
        <li>
          <strong>Have it corrected.</strong> Until the application has been submitted, you can correct it and
          your contact details yourself on your order’s page. We delete the incorrect details. If you change
          the email address of an order you have paid for, we first tell your previous address, and delete it
          once we have, within 24 hours at most.
        </li>
      </ul>
      <p>
        If you think we have misused your data, tell us on{" "}
        <Link className="link" to={pages.dataProtection}>
          Data protection complaints
        </Link>
        . We acknowledge complaints within 30 days. You can also complain to the regulator, the{" "}
        <a className="link" href={official.regulator}>
          Information Commissioner’s Office
        </a>
        .
      </p>
      <p>
        Version 1 of this policy was last updated on 29 April 2025, versions 2 and 3 on 21 November 2026,
        versions 4 to 6 on 22 November 2026, versions 7 and 8 on 23 November 2026, and version 9 on 27
        November 2026.
      </p>
    </>
  );
}

const rowsFor = (kept: string) =>
  [
    [
      "Certificate details, GRO reference and signature",
      "immediately after the GRO accepts the application: within 3 minutes, typically in seconds",
    ],
    ["The same details, if you cancel or the order fails", "immediately"],
    [
      "What the GRO asks about your application",
      "as soon as you have answered, or the GRO goes on without an answer",
    ],
    ["Everything about an order that is never paid for", "24 hours after you placed it"],
    [
      "Name, address, email, phone, a recipient’s name and address, your own reference, the reference of a refund by bank transfer, and our staff’s notes about your order",
      `${kept} after the order is closed, or when any refund or dispute that is open by then has ended`,
    ],
    [
      "Your messages to support with their files, emails you sent us, and our answers",
      `${kept} after the conversation is closed, or with the order it belongs to, if that is sooner`,
    ],
    [
      "The fingerprints we use to find your details",
      "with the details they were made from; the key that made them, once no orders from that month are left",
    ],
    [
      "Order number, amounts, dates and a record of each step",
      "kept for our accounts and as our record of what happened, without your name or details",
    ],
    [
      "An unfinished order, if you ask us to email you a link to it",
      "7 days later, or as soon as you pay for it, delete it or save it again; the link’s key once the email has left",
    ],
    [
      "Other answers you have not sent yet",
      "never reach us: they stay in your browser tab and go when you close it",
    ],
  ] as const;

/** How long each kind of data is kept. */
function RetentionTable() {
  const rows = rowsFor(useRetentionWords());
  return (
    <table className="mt-4 w-full">
      <caption className="sr-only">What we keep, and when we delete it</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">What</th>
          <th scope="col">Deleted</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([what, when]) => (
          <tr key={what} className="border-b border-hairline align-top">
            <th scope="row" className="w-1/2 py-3 pr-4 text-left font-[600]">
              {what}
            </th>
            <td className="py-3">{when}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
