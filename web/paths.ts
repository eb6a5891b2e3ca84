/** The pages of the web app. The API's addresses are in contract/. */
export const pages = {
  home: "/",
  services: "/services",
  pricing: "/pricing",
  howItWorks: "/how-it-works",
  support: "/support",
  conversation: "/support/view",
  about: "/about",
  order: "/order",
  orderConfirmation: "/order-confirmation",
  lookup: "/lookup",
  terms: "/terms",
  privacy: "/privacy",
  cookies: "/cookies",
  accessibility: "/accessibility",
  dataProtection: "/data-protection",
  error: "/error",
  signIn: "/sign-in",
  signUp: "/sign-up",
  unauthorized: "/unauthorized",
  signedIn: "/clerk-callback",
  adminLogin: "/admin-login",
  accessAdmin: "/accessadmin",
  dashboard: "/dashboard",
} as const;

/** Every address that has a page; below two of them a part of the app finds its own way. All others are Page Not Found. */
export const pagePatterns: readonly string[] = [
  ...Object.values(pages),
  `${pages.adminLogin}/*`,
  `${pages.accessAdmin}/*`,
];

/** The pages that ask who is signed in. No link of the public pages leads to one, so each is opened as a page of its own. */
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

/** The tracking page of one order. Without the key of a mail's link it shows what anybody may see who knows the number. */
export const trackingOf = (orderNumber: string): string =>
  `${pages.lookup}?order=${encodeURIComponent(orderNumber)}`;

/** Where the holder of an order enters its application again. */
export const changeOf = (orderNumber: string): string => `${trackingOf(orderNumber)}&change=application`;

/** Where the holder of an order corrects who is written to. */
export const correctOf = (orderNumber: string): string => `${trackingOf(orderNumber)}&change=contact`;

/** Where one can do without us, and where one can complain of us. */
export const official = {
  order: "https://www.gro.gov.uk/gro/content/certificates/",
  regulator: "https://ico.org.uk/make-a-complaint/",
  fees: "https://www.gov.uk/order-copy-birth-death-marriage-certificate",
} as const;
