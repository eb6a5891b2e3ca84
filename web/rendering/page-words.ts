import { pages } from "../paths.ts";

/** A page's title, without the trading name, and description, for search engines and link previews. */
export interface PageWords {
  readonly path: string;
  readonly title: string;
  readonly description: string;
}

/** Every page rendered by the server, in sitemap order. */
export const pageWords: readonly PageWords[] = [
  {
    path: pages.home,
    title: "Birth and death certificates for England and Wales",
    description:
      "Order copies of birth and death certificates for England and Wales. We fill in the form, send it and pay the fee. A private company, not the General Register Office.",
  },
  {
    path: pages.order,
    title: "Order a certificate",
    description:
      "Order a birth or death certificate for England and Wales in five short steps. We fill in the form, send it to the General Register Office and pay its fee.",
  },
  {
    path: pages.lookup,
    title: "Order Lookup",
    description:
      "Enter your order number to see where your order is, what happens next, and when the General Register Office is expected to send your certificate.",
  },
  {
    path: pages.services,
    title: "Services",
    description:
      "Birth and death certificates from the registers of England and Wales: what we order for you, what you need to know, and what we cannot order.",
  },
  {
    path: pages.pricing,
    title: "Pricing",
    description:
      "One price per copy, including the General Register Office fee and postage. See the price breakdown, and what the same certificate costs if you order directly.",
  },
  {
    path: pages.howItWorks,
    title: "How it works",
    description:
      "From five short steps to your letter box: what happens to your order, when your details are deleted, and how long the certificate takes.",
  },
  {
    path: pages.support,
    title: "Support",
    description: "Answers to common questions about ordering certificates, and a form to contact our team.",
  },
  {
    path: pages.about,
    title: "About Us",
    description:
      "Who we are, what we do and what we don’t do. A private company that handles the paperwork for certificates.",
  },
  {
    path: pages.terms,
    title: "Terms & Conditions",
    description: "What you are buying, what it costs, how to cancel, and your rights and ours.",
  },
  {
    path: pages.privacy,
    title: "Privacy Policy",
    description: "What we collect, why, who we share it with, and when we delete it.",
  },
  {
    path: pages.cookies,
    title: "Cookies",
    description: "What this site stores in your browser, and why none of it tracks you.",
  },
  {
    path: pages.accessibility,
    title: "Accessibility statement",
    description: "How accessible this site is, how we tested it, and how to report a problem.",
  },
  {
    path: pages.dataProtection,
    title: "Data protection complaints",
    description: "How to complain about how we handle your personal data, and what happens next.",
  },
  {
    path: pages.transparency,
    title: "Our public log",
    description:
      "How the log of our orders works, what it shows and what it does not, how anyone can check that it was not changed, and its newest checkpoint.",
  },
  {
    path: pages.verify,
    title: "Check a proof of deletion",
    description:
      "Check in your browser that the deletion of your details is on record. The file stays on your device.",
  },
];
