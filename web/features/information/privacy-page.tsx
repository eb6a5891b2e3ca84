import { useConfig } from "../../api/get-config.ts";
import { ProsePage } from "./prose-page.tsx";

/** /privacy: what is collected, when it is deleted, who sees it. */
export default function PrivacyPage() {
  const email = useConfig().data?.supportEmail ?? "our support address";
  return (
    <ProsePage title="Privacy" lead="What we collect, why, who sees it, and when it is gone.">
      <h2>What we collect</h2>
      <p>
        Your name, e-mail address, phone number and postal address; the details of the certificate; and the
        fact of your payment. Card details go straight to the payment provider: we never see or store them.
      </p>
      <h2>When it is deleted</h2>
      <ul>
        <li>
          Certificate details, references and your signature: right after the GRO has accepted the
          application, at most 3 minutes later. Your order’s page shows the receipt.
        </li>
        <li>Name, address, e-mail and order number: 12 months after the order is complete.</li>
        <li>An order you never pay for: everything, within 24 hours or a little more.</li>
      </ul>
      <p>
        Deleting means destroying the key that opens the data. The key exists in one place, outside the
        database, and is never backed up.
      </p>
      <h2>Who sees it</h2>
      <p>
        The General Register Office, the payment provider, and the automation service that builds the form.
        Data is processed within the UK and the EEA.
      </p>
      <h2>Cookies and storage</h2>
      <p>
        One cookie for each order you make, so that this browser can open it again. Your unfinished answers
        are kept in the tab you type them in, and go with it. No advertising, no tracking. We send marketing
        only if you ask for it.
      </p>
      <h2>Your rights</h2>
      <p>
        The UK GDPR gives you rights to see, correct and erase your data, and more: write to {email}. Those
        under 18 need the consent of a parent. You may also complain to the Information Commissioner’s Office.
      </p>
    </ProsePage>
  );
}
