import { Link } from "react-router-dom";
import { type Company, registrationLines, telephoneWords } from "../../domain/settings/company.ts";
import { official, pages } from "../paths.ts";
import { todayInLondon } from "../ui/dates.ts";
import { useConfig, useTradingName } from "./config.ts";

/** The trading name in the display face; an ampersand in it is set in indigo. */
export function Wordmark({ name }: { name: string }) {
  const [before, ...after] = name.split("&");
  return (
    <span translate="no" className="font-display text-22 tracking-tight whitespace-nowrap text-ink">
      {before}
      {after.length > 0 && <em className="mr-[0.12em] text-primary">&amp;</em>}
      {after.join("&")}
    </span>
  );
}

/** Where the site leads, in the order of its menu. */
export const siteLinks = [
  { to: pages.services, words: "Services" },
  { to: pages.pricing, words: "Pricing" },
  { to: pages.howItWorks, words: "How it works" },
  { to: pages.lookup, words: "Order Lookup" },
  { to: pages.support, words: "Support" },
  { to: pages.about, words: "About Us" },
] as const;

const legalLinks = [
  { to: pages.terms, words: "Terms" },
  { to: pages.privacy, words: "Privacy" },
  { to: pages.cookies, words: "Cookies" },
  { to: pages.accessibility, words: "Accessibility" },
  { to: pages.dataProtection, words: "Data protection complaints" },
  { to: pages.transparency, words: "Public log" },
] as const;

/** Who we are, who we are not, and the way to everything else. */
export function SiteFooter() {
  const name = useTradingName();
  const company = useConfig().data;
  return (
    <footer className="no-print mt-auto border-t border-hairline bg-surface text-14">
      <div className="page-width grid gap-8 py-10 md:grid-cols-[1.4fr_1fr_1fr]">
        <div>
          <Wordmark name={name} />
          <p className="mt-3 max-w-[44ch] text-muted">
            Copies of birth and death certificates for England and Wales. We fill in the form, send it, pay
            the General Register Office and keep you updated.
          </p>
        </div>
        <FooterLinks />
        <address className="text-muted not-italic">
          <p>{company ? `${name}, ${company.postalAddress}` : name}</p>
          {company && <Reach company={company} />}
        </address>
      </div>
      <div className="page-width pb-10">
        <NotAffiliated name={name} />
        <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-2 text-muted">
          <p>
            © {todayInLondon().slice(0, 4)} {name}
          </p>
          {legalLinks.map(({ to, words }) => (
            <Link key={to} className="link" to={to}>
              {words}
            </Link>
          ))}
        </div>
      </div>
    </footer>
  );
}

/** The company behind the name, and how to reach it; what is not set is left out. */
function Reach({ company }: { company: Company }) {
  const telephone = telephoneWords(company);
  return (
    <>
      {registrationLines(company).map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p className="mt-2">
        <a className="link" href={`mailto:${company.supportEmail}`}>
          {company.supportEmail}
        </a>
      </p>
      {telephone && <p>{telephone}</p>}
    </>
  );
}

function NotAffiliated({ name }: { name: string }) {
  return (
    <p className="border-l-3 border-primary py-1 pl-4 text-16">
      <strong className="font-[600]">
        {name} is a private company. It is not affiliated with the General Register Office or any other
        government body.
      </strong>{" "}
      You can order directly from the{" "}
      <a className="link" href={official.order}>
        General Register Office
      </a>{" "}
      for less.
    </p>
  );
}

function FooterLinks() {
  return (
    <nav aria-label="Footer">
      <ul className="grid grid-cols-2 gap-x-4 md:grid-cols-1">
        {siteLinks.map(({ to, words }) => (
          <li key={to}>
            <Link to={to} className="inline-flex min-h-8 items-center hover:text-primary hover:underline">
              {words}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
