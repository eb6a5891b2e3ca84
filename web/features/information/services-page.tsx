import { Link } from "react-router-dom";
import { pages } from "../../paths.ts";
import { HonestPrice } from "../../ui/honest-price.tsx";
import { ProsePage } from "./prose-page.tsx";

/** /services: what can be ordered. */
export default function ServicesPage() {
  return (
    <ProsePage
      title="Services"
      lead="Full certified copies from the registers of England and Wales, posted to you by the General Register Office."
    >
      <h2>Birth certificates</h2>
      <p>
        For yourself or someone in your family. You need the name at birth, the place and date, and the
        parents’ names; for records older than 50 years you may answer some of it with ‘I don’t know’.
      </p>
      <p>
        <Link className="link" to={`${pages.order}?type=Birth`}>
          Order a birth certificate
        </Link>
      </p>
      <h2>Death certificates</h2>
      <p>
        For family members. You need the name, the date and place of death, the age, the parents’ names and
        the occupation.
      </p>
      <p>
        <Link className="link" to={`${pages.order}?type=Death`}>
          Order a death certificate
        </Link>
      </p>
      <h2>Marriage and adoption certificates</h2>
      <p>Coming soon. Until then, the General Register Office takes orders for both.</p>
      <h2>What we cannot order</h2>
      <p>
        Events registered in Scotland or Northern Ireland: National Records of Scotland and GRONI keep those.
        The order form says so before you pay.
      </p>
      <HonestPrice className="mt-8" />
    </ProsePage>
  );
}
