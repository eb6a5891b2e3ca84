import { Link } from "react-router-dom";
import { pages } from "../../paths.ts";
import { useConfig, useTradingName } from "../../site/config.ts";
import { ProsePage } from "./prose-page.tsx";

/** /accessibility: how far everyone can use the site, and how to tell us where not. */
export default function AccessibilityPage() {
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
