/** The web app's pages. API paths are in contract/. */
export const pages = {
  home: "/",
  services: "/services",
  pricing: "/pricing",
  howItWorks: "/how-it-works",
  support: "/support",
  conversation: "/support/view",
  about: "/about",
  order: "/order",
  savedOrder: "/order/saved",
  orderConfirmation: "/order-confirmation",
  lookup: "/lookup",
  terms: "/terms",
  privacy: "/privacy",
  cookies: "/cookies",
  accessibility: "/accessibility",
  dataProtection: "/data-protection",
  transparency: "/transparency",
  verify: "/verify",
  error: "/error",
  signIn: "/sign-in",
  signUp: "/sign-up",
  unauthorized: "/unauthorized",
  signedIn: "/clerk-callback",
  adminLogin: "/admin-login",
  accessAdmin: "/accessadmin",
  dashboard: "/dashboard",
} as const;

/** Pages of text and links, which are complete without the app. */
export const textPaths = [
  pages.home,
  pages.services,
  pages.pricing,
  pages.howItWorks,
  pages.about,
  pages.terms,
  pages.privacy,
  pages.cookies,
  pages.accessibility,
] as const;

export const isTextPage = (path: string): boolean => textPaths.some((known) => known === path);

/** Every address with a page; two of them have routes of their own below. All others are Page Not Found. */
export const pagePatterns: readonly string[] = [
  ...Object.values(pages),
  `${pages.adminLogin}/*`,
  `${pages.accessAdmin}/*`,
];

/** Pages that need the signed-in user. Public pages do not link to them, so each is opened by a full page load. */
export const identityPatterns: readonly string[] = [
  pages.signIn,
  pages.signUp,
  pages.unauthorized,
  pages.signedIn,
  `${pages.adminLogin}/*`,
  `${pages.accessAdmin}/*`,
  pages.dashboard,
];

/** The page that confirms one order. */
export const confirmationOf = (orderNumber: string): string =>
  `${pages.orderConfirmation}?orderNumber=${encodeURIComponent(orderNumber)}`;

/** The tracking page of an order. Without the key of an emailed link it shows what anyone with the number can see. */
export const trackingOf = (orderNumber: string): string =>
  `${pages.lookup}?order=${encodeURIComponent(orderNumber)}`;

/** Where the holder replaces an order's application. */
export const changeOf = (orderNumber: string): string => `${trackingOf(orderNumber)}&change=application`;

/** Where the holder corrects an order's contact details. */
export const correctOf = (orderNumber: string): string => `${trackingOf(orderNumber)}&change=contact`;

/** Official offices to order from directly, and to complain to. */
export const official = {
  order: "https://www.gro.gov.uk/gro/content/certificates/",
  regulator: "https://ico.org.uk/make-a-complaint/",
  fees: "https://www.gov.uk/order-copy-birth-death-marriage-certificate",
} as const;

/**
 * A path of this site, or the fallback. Refuses everything that could lead elsewhere: other origins, `//host`, `\\host`
 * (browsers read a backslash as a slash), `javascript:`, and any of these after tabs or line breaks, which browsers
 * ignore.
 * @param asked from the URL, decoded once
 */
export function sameOriginPath(asked: string | null, otherwise: string): string {
  if (asked === null || !asked.startsWith("/") || /[\\\p{Cc}]/u.test(asked)) return otherwise;
  const here = "https://here.invalid";
  if (!URL.canParse(asked, here)) return otherwise;
  const { origin, pathname, search, hash } = new URL(asked, here);
  // `/./` and `/../` are resolved by now: `/.//evil.example` is the path `//evil.example`, which as an address is
  // another host.
  return origin === here && !pathname.startsWith("//") ? pathname + search + hash : otherwise;
}
