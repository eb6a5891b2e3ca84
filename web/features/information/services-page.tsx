import { Link } from "react-router-dom";
import { groPhone, otherOfficeFor } from "../../../domain/forms/registration-office.ts";
import { formatPounds } from "../../../domain/pricing/money.ts";
import type { PricedCertificate } from "../../../domain/pricing/price-list.ts";
import { useOrderable, usePriceList } from "../../api/get-config.ts";
import { official, pages } from "../../paths.ts";
import { HonestPrice } from "../../ui/honest-price.tsx";
import { ProsePage } from "./prose-page.tsx";

/** /services: what can be ordered, what one needs for it, and what cannot be. */
export default function ServicesPage() {
  return (
    <ProsePage
      title="Services"
      lead="Full certified copies from the registers of England and Wales, posted to you by the General Register Office (GRO)."
    >
      <HonestPrice />
      <Service type="Birth">
        <p>
          For yourself or someone in your family: for a passport, a wedding, a pension, a family tree. You
          need the name at birth, the place and the date, and the parents’ names. For births registered more
          than 50 years ago you may answer some of it with ‘I don’t know’.
        </p>
        <p>
          If you were adopted and want the certificate of your birth before that, the GRO handles this by
          phone: call {groPhone.number}. We cannot order it for you.
        </p>
      </Service>
      <Service type="Death">
        <p>
          For the family, for probate, a bank, an insurer or a pension. You need the name, the date and place
          of death, the age, the parents’ names and the occupation. Order as many copies as there are offices
          that want one: up to 5 at a time.
        </p>
      </Service>
      <h2>Marriage and adoption certificates</h2>
      <p>
        Coming soon to this page. Until then, the{" "}
        <a className="link" href={official.order}>
          General Register Office
        </a>{" "}
        takes orders for both.
      </p>
      <h2>What comes with every order</h2>
      <ul>
        <li>
          Your answers are checked for what the GRO sends back: days that fit the month, missing names,
          mistyped addresses.
        </li>
        <li>The GRO’s fee, its search fee where there is one, and postage are in the price.</li>
        <li>An order number, an e-mail at each step, and a page on which you can follow it.</li>
        <li>Deletion of your certificate details within 3 minutes of submission, with a receipt.</li>
      </ul>
      <NotHere />
    </ProsePage>
  );
}

function Service({ type, children }: { type: PricedCertificate; children: React.ReactNode }) {
  const { standard, priority } = usePriceList().unitPricePence[type];
  const isOrderable = useOrderable()(type);
  return (
    <section aria-labelledby={`service-${type}`}>
      <h2 id={`service-${type}`}>{type} certificates</h2>
      {children}
      <p>
        {formatPounds(standard)} a copy, or {formatPounds(priority)} with Priority.{" "}
        {isOrderable ? (
          <Link className="link" to={`${pages.order}?type=${type}`}>
            Order a {type.toLowerCase()} certificate
          </Link>
        ) : (
          `${type} certificates cannot be ordered here at the moment.`
        )}
      </p>
    </section>
  );
}

function NotHere() {
  const others = [otherOfficeFor("Scotland"), otherOfficeFor("Northern Ireland")];
  return (
    <>
      <h2>What we cannot order</h2>
      <p>Events registered outside England and Wales. The order form says so before you pay.</p>
      <ul>
        {others.map((office) =>
          office ? (
            <li key={office.name}>
              {office.advice}{" "}
              <a className="link" href={office.link}>
                {office.name}
              </a>
            </li>
          ) : null,
        )}
      </ul>
    </>
  );
}
