import { Link } from "react-router-dom";
import { useConfig, useTradingName } from "../../api/get-config.ts";
import { pages } from "../../paths.ts";
import { ProsePage } from "./prose-page.tsx";

/** /accessibility: how far everyone can use the site, and how to tell us where not. */
export default function AccessibilityPage() {
  const name = useTradingName();
  const email = useConfig().data?.supportEmail;
  return (
    <ProsePage
      title="Accessibility statement"
      lead={`Everyone should be able to order with ${name}, whatever they use to read and write.`}
    >
      <h2>What we aim for</h2>
      <p>
        The Web Content Accessibility Guidelines 2.2 at level AA, for every page and every state of it:
        errors, menus and panels too. You should be able to
      </p>
      <ul>
        <li>do everything with the keyboard alone, and see where you are,</li>
        <li>zoom to 400 % and read without scrolling sideways,</li>
        <li>use a screen reader, and hear what is wrong with a field in words,</li>
        <li>read in light, dark or high contrast, as your device is set, and without motion,</li>
        <li>read every page of information without JavaScript.</li>
      </ul>
      <h2>How it was tested</h2>
      <p>
        Each change of this site runs axe, an automated test, on its pages in a real browser, in light and
        dark, at 320 and at 1280 pixels. Automated tests find only some of the problems. We have not yet had
        the site audited by people who use assistive technology every day.
      </p>
      <h2>What we know does not work</h2>
      <ul>
        <li>
          Ordering, looking up an order and writing to us with the form need JavaScript. Without it, write us
          an e-mail.
        </li>
        <li>The card form comes from our payment provider, who answers for its accessibility.</li>
        <li>
          The rosette on a certificate of deletion is an ornament; what it stands for, the key’s fingerprint,
          is there as text.
        </li>
      </ul>
      <h2>Tell us</h2>
      <p>
        If something stands in your way, or you need this in another form,{" "}
        <Link className="link" to={pages.support}>
          write to us
        </Link>
        {email && (
          <>
            {" "}
            or to{" "}
            <a className="link" href={`mailto:${email}`}>
              {email}
            </a>
          </>
        )}
        . If we do not help, the Equality Advisory and Support Service can advise you.
      </p>
      <p>This statement was prepared on 21 November 2026.</p>
    </ProsePage>
  );
}
