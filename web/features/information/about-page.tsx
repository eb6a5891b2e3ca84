import { useTradingName } from "../../api/get-config.ts";
import { HonestPrice } from "../../ui/honest-price.tsx";
import { ProsePage } from "./prose-page.tsx";

/** /about. */
export default function AboutPage() {
  const name = useTradingName();
  return (
    <ProsePage
      title="About Us"
      lead={`${name} is a private company in Nottingham. We do one thing: paperwork for certificates.`}
    >
      <p>
        People need a certificate at moments when a form is the last thing they want: a birth, a death, a
        passport in a hurry. We ask plain questions, fill in the General Register Office’s form, send it and
        pay its fee, and tell you where it has got to. The certificate comes from the GRO by post, to the
        address you give us.
      </p>
      <p>
        We hold on to as little as we can. What you tell us about the person on the certificate is deleted
        within 3 minutes of submission, and you get a receipt that shows it.
      </p>
      <HonestPrice className="mt-8" />
    </ProsePage>
  );
}
