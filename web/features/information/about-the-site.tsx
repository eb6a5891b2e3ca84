import { Link } from "react-router-dom";
import { registrationLines, replyWords, telephoneWords } from "../../../domain/settings/company.ts";
import { pages } from "../../paths.ts";
import { useConfig, usePostalAddress, useRetentionWords, useTradingName } from "../../site/config.ts";
import { HonestPrice } from "../../ui/price-notes.tsx";
import { ProsePage } from "./prose-page.tsx";

// Who is behind the site, who can use it, and what it keeps in a browser.

/** /about: who we are, and who we are not. */
export function AboutPage() {
  const name = useTradingName();
  const address = usePostalAddress();
  const kept = useRetentionWords();
  const company = useConfig().data;
  return (
    <ProsePage
      title="About Us"
      lead={`${name} is a private company. We do one thing: the paperwork for certificates.`}
    >
      <p>
        People often need a certificate when a form is the last thing they want to deal with: after a birth or
        a death, or when they need a passport in a hurry. We ask simple questions, fill in the General
        Register Office’s form, submit it, pay its fee and keep you up to date. The GRO posts the certificate
        to the address you give us.
      </p>
      <h2>Not a government service</h2>
      <p>
        We are not the General Register Office (GRO), and we are not affiliated with it or any other
        government body. We neither print nor deliver certificates. You pay us for the paperwork, which you
        can also do yourself: anyone can order from the GRO.
      </p>
      <HonestPrice className="mt-6" />
      <h2>Why we delete your details</h2>
      <p>
        A certificate application holds the answers to many people’s security questions, so we keep as little
        as we can. We delete what you tell us about the person on the certificate within 3 minutes of
        submission, and give you a receipt to prove it. We delete your name and address {kept} after your
        order is closed. Our{" "}
        <Link className="link" to={pages.privacy}>
          privacy policy
        </Link>{" "}
        has the details.
      </p>
      <h2>Contact us</h2>
      <p>
        {name}, {address}
      </p>
      {company && registrationLines(company).map((line) => <p key={line}>{line}</p>)}
      {company && telephoneWords(company) && <p>{telephoneWords(company)}</p>}
      <p>
        <Link className="link" to={pages.support}>
          Use our contact form
        </Link>
        {company && (
          <>
            , or email{" "}
            <a className="link" href={`mailto:${company.supportEmail}`}>
              {company.supportEmail}
            </a>
          </>
        )}
        . A person will reply. {company && replyWords(company)}
      </p>
    </ProsePage>
  );
}

/** /accessibility: how far everyone can use the site, and how to tell us where not. */
export function AccessibilityPage() {
  const name = useTradingName();
  const email = useConfig().data?.supportEmail;
  return (
    <ProsePage
      title="Accessibility statement"
      lead={`We want everyone to be able to use ${name}, including people who use assistive technology.`}
    >
      <h2>What we aim for</h2>
      <p>
        We aim to meet level AA of the Web Content Accessibility Guidelines 2.2 on every page, including its
        errors, menus and panels. You should be able to:
      </p>
      <ul>
        <li>do everything with a keyboard, and always see where you are</li>
        <li>zoom to 400% and read without scrolling sideways</li>
        <li>use a screen reader, and hear errors described in words</li>
        <li>use your device’s settings for light, dark, high contrast or reduced motion</li>
        <li>read every information page without JavaScript</li>
      </ul>
      <h2>How we tested it</h2>
      <p>
        We test every change to this site with axe, an automated checker, in a real browser, in light and dark
        mode and at widths of 320 and 1280 pixels. Automated tests find only some problems. People who use
        assistive technology every day have not yet audited the site.
      </p>
      <h2>Known problems</h2>
      <ul>
        <li>
          You need JavaScript to order, to look up an order and to use our contact form. Without it, please
          email us.
        </li>
        <li>The card form comes from our payment provider, which is responsible for its accessibility.</li>
        <li>
          The rosette on a certificate of deletion is decorative. The key fingerprint it is drawn from is also
          shown as text.
        </li>
      </ul>
      <h2>Report a problem</h2>
      <p>
        If you find a problem, or need information in a different format,{" "}
        <Link className="link" to={pages.support}>
          contact us{" "}
        </Link>
        {email && (
          <>
            {" "}
            or email{" "}
            <a className="link" href={`mailto:${email}`}>
              {email}
            </a>
          </>
        )}
        . If you’re not happy with our response, the Equality Advisory and Support Service can advise you.
      </p>
      <p>This statement was prepared on 21 November 2026.</p>
    </ProsePage>
  );
}

const kept = [
  {
    name: "A cookie for each order you place, or open from our emails",
    why: "Lets this browser open, change or cancel the order.",
    until: "180 days have passed, ten newer orders have taken its place, or you clear it",
  },
  {
    name: "Your unfinished answers and the order you are paying for, in the tab’s storage, with the key to the answers if you saved them",
    why: "Keeps your answers if you reload the page or lose your connection, makes sure that you pay only once, and deletes what you saved once you order.",
    until: "you finish the order or close the tab",
  },
  {
    name: "The number of each order you pay for, and when",
    why: "Warns you before you pay again in a copied tab, which it recognises by a random number. Neither says what you ordered.",
    until: "a day has passed and you place another order, or you clear it",
  },
  {
    name: "The key to a support conversation, in the tab’s storage",
    why: "Lets you reload the conversation without the key showing in the page’s address.",
    until: "you leave the conversation or close the tab",
  },
  {
    name: "The key in an emailed link to your order, in the tab’s storage",
    why: "Opens the order when you reload the page, if the first attempt failed.",
    until: "the order has opened, or you close the tab",
  },
  {
    name: "The key in an emailed link to an unfinished order, in the tab’s storage",
    why: "Opens or deletes the unfinished order when you reload the page, if the first attempt failed.",
    until: "it is opened or deleted, or you close the tab",
  },
  {
    name: "A marker, in the tab’s storage",
    why: "Makes sure that you see your latest changes. It is a number that says nothing about you.",
    until: "you close the tab",
  },
  {
    name: "The time of an automatic reload, in the tab’s storage",
    why: "Stops a page that reloads itself after an update from doing so again and again.",
    until: "you close the tab",
  },
  {
    name: "The payment provider’s cookies, on the payment step only",
    why: "Help to prevent fraud. The provider sets them, and we make no use of them.",
    until: "the date that the provider sets",
  },
  {
    name: "The sign-in provider’s cookies, for our staff only",
    why: "Keep staff signed in.",
    until: "they sign out",
  },
  {
    name: "For our staff only: a note that they signed in, their user ID (also in a cookie for a day), replies and notes not yet sent, the order lists they saved, and whether keyboard shortcuts are off",
    why: "Let staff carry on where they left off, and name them in our logs.",
    until: "they sign out; the lists and the choice about shortcuts until they change them",
  },
] as const;

/** /cookies: what is kept in the browser. All of it is essential, so there is nothing to consent to. */
export function CookiesPage() {
  return (
    <ProsePage
      title="Cookies"
      lead="We store only what is needed to do what you ask. No advertising, no tracking and no analytics."
    >
      <p>
        The law lets sites store essential items without asking, which is why there is no cookie banner. This
        is everything we store in your browser:
      </p>
      <dl>
        {kept.map(({ name, why, until }) => (
          <div key={name} className="border-b border-hairline py-4">
            <dt className="font-[600]">{name}</dt>
            <dd className="mt-1 text-muted">
              {why} Kept until {until}.
            </dd>
          </div>
        ))}
      </dl>
      <p>
        You can clear all of these in your browser’s settings. This does not affect your orders: open them
        again with the link in our emails.
      </p>
    </ProsePage>
  );
}
