import { Link } from "react-router-dom";
import { groPhone, otherOfficeFor } from "../../../domain/forms/registration-office.ts";
import { formatPounds } from "../../../domain/pricing/money.ts";
import { groFees, type PricedCertificate } from "../../../domain/pricing/price-list.ts";
import { official, pages } from "../../paths.ts";
import { useOrderable, usePriceList } from "../../site/config.ts";
import { HonestPrice } from "../../ui/price-notes.tsx";
import { CertificateDrawings } from "./certificate-drawings.tsx";
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
          For yourself or someone in your family: for a passport, a wedding, a pension or a family tree. You
          need the name at birth, the place and date of birth, and the parents’ names. If the birth was
          registered over 50 years ago, you can answer some questions with ‘I don’t know’.
        </p>
        <p>
          If you were adopted and want your original birth certificate, the GRO handles this by phone: call{" "}
          {groPhone.number}. We cannot order it for you.
        </p>
      </Service>
      <Service type="Death">
        <p>
          For the family, for probate, or for a bank, insurer or pension provider. You need the name, the date
          and place of death, the age, the parents’ names and the occupation. You can order up to 5 copies at
          a time: one for each organisation that needs an original.
        </p>
      </Service>
      <CertificateDrawings />
      <WithoutCertificate />
      <h2>Marriage and adoption certificates</h2>
      <p>
        Coming soon. Until then, you can order both from the{" "}
        <a className="link" href={official.order}>
          General Register Office
        </a>
        .
      </p>
      <h2>What every order includes</h2>
      <ul>
        <li>
          We check your answers for mistakes that get applications rejected, such as impossible dates, missing
          names and mistyped addresses.
        </li>
        <li>The GRO’s fee, any search fee and postage are included in the price.</li>
        <li>You get an order number, an email at each step, and a page where you can track your order.</li>
        <li>We delete your certificate details within 3 minutes of submission, and give you a receipt.</li>
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

function WithoutCertificate() {
  return (
    <>
      <h2>When you don’t need a certificate</h2>
      <p>
        For a family tree, the words of an entry may be enough. The GRO sells many older entries as a PDF for{" "}
        {formatPounds(groFees.pdfPence)} or a digital image for {formatPounds(groFees.digitalImagePence)}.
        They are not certificates, and no office accepts them as evidence. We don’t sell them:{" "}
        <a className="link" href={official.order}>
          order them from the GRO
        </a>
        .
      </p>
    </>
  );
}

function NotHere() {
  const others = [otherOfficeFor("Scotland"), otherOfficeFor("Northern Ireland")];
  return (
    <>
      <h2>What we cannot order</h2>
      <p>
        We cannot order certificates for events registered outside England and Wales. The order form tells you
        before you pay.
      </p>
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
