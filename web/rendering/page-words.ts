import { pages } from "../paths.ts";

/** What search engines and link previews say of a page: its title without the trading name, and a sentence or two. */
export interface PageWords {
  readonly path: string;
  readonly title: string;
  readonly description: string;
}

/** Every page that the server renders, in the order of the site map. */
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
      "One price a copy, General Register Office fee and postage included: what goes where, and what the same certificate costs when you order it directly.",
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
    description:
      "Answers to the questions people ask about ordering certificates, and a form that reaches a person in Nottingham.",
  },
  {
    path: pages.about,
    title: "About Us",
    description:
      "Who we are, what we do and what we do not: a private company in Nottingham for one kind of paperwork.",
  },
  {
    path: pages.terms,
    title: "Terms & Conditions",
    description: "What you buy, what it costs, how to cancel, and what each of us can rely on.",
  },
  {
    path: pages.privacy,
    title: "Privacy Policy",
    description: "What we collect, why, who sees it, and when it is destroyed.",
  },
  {
    path: pages.cookies,
    title: "Cookies",
    description: "The few things this site keeps in your browser, and why none of them follows you.",
  },
  {
    path: pages.accessibility,
    title: "Accessibility statement",
    description:
      "How far this site can be used by everyone, how that was tested, and how to tell us of a problem.",
  },
  {
    path: pages.dataProtection,
    title: "Data protection complaints",
    description: "How to complain about what we do with your personal data, and what happens then.",
  },
];
