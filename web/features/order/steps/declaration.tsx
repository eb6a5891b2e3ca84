import { Link } from "react-router-dom";
import type { Draft } from "../../../ordering/draft/draft.ts";
import { draftStore } from "../../../ordering/draft/use-draft.ts";
import { pages } from "../../../paths.ts";
import { CheckboxField } from "../../../ui/fields/checkbox-field.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import type { SigningError } from "./signing-errors.ts";

/** The declaration, the agreements, the signature and the two boxes, initially unticked. */
export function Declaration({ draft, errors }: { draft: Draft; errors: readonly SigningError[] }) {
  const { firstName, lastName } = draft.personalDetails;
  const errorOf = (id: SigningError["id"]) => errors.find((error) => error.id === id)?.message;
  return (
    <section className="space-y-5 rounded-4 border border-hairline bg-surface px-4 py-5 sm:px-6">
      <h2 className="text-22">Declaration</h2>
      <p>
        I declare that this information is true to the best of my knowledge. Please submit it to the General
        Register Office. I understand that:
      </p>
      <ul className="list-disc space-y-1.5 pl-5 text-muted">
        <li>I am 18 or over, or have the consent of a parent or guardian.</li>
        <li>The price includes the GRO’s fee, the administration fee and postage.</li>
        <li>I can cancel with a full refund until the application has been submitted.</li>
        <li>
          The GRO prints and posts the certificate, and delays by the GRO or in the post are not refunded.
        </li>
      </ul>
      <TextField
        id="signature"
        label="Signature"
        hint={`Type your full name, ${`${firstName} ${lastName}`.trim()}, to sign.`}
        error={errorOf("signature")}
        autoComplete="name"
        maxLength={200}
        value={draft.signature}
        onChange={(event) => draftStore.update({ signature: event.target.value })}
      />
      <Boxes draft={draft} errorOf={errorOf} />
    </section>
  );
}

interface BoxesProps {
  draft: Draft;
  errorOf: (id: SigningError["id"]) => string | undefined;
}

function Boxes({ draft, errorOf }: BoxesProps) {
  return (
    <>
      <CheckboxField
        id="accept-terms"
        checked={draft.acceptsTerms}
        onChange={(acceptsTerms) => draftStore.update({ acceptsTerms })}
        error={errorOf("accept-terms")}
      >
        I accept the{" "}
        <Link className="link" to={pages.terms} target="_blank" rel="noreferrer">
          Terms & Conditions<span className="sr-only"> (opens in a new tab)</span>
        </Link>{" "}
        and have read the{" "}
        <Link className="link" to={pages.privacy} target="_blank" rel="noreferrer">
          Privacy Policy<span className="sr-only"> (opens in a new tab)</span>
        </Link>
        .
      </CheckboxField>
      <CheckboxField
        id="ask-to-begin"
        checked={draft.asksToBegin}
        onChange={(asksToBegin) => draftStore.update({ asksToBegin })}
        error={errorOf("ask-to-begin")}
      >
        I ask you to start now, within the 14-day cancellation period. I understand that once the application
        has been submitted, the service is fully performed and I lose my right to cancel.
      </CheckboxField>
    </>
  );
}
