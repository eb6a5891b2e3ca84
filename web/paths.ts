/** Every address the web app knows: its own pages, and the gateway's routes. */
export const pages = {
  home: "/",
  services: "/services",
  pricing: "/pricing",
  howItWorks: "/how-it-works",
  support: "/support",
  about: "/about",
  order: "/order",
  orderConfirmation: "/order-confirmation",
  lookup: "/lookup",
  terms: "/terms",
  privacy: "/privacy",
  error: "/error",
} as const;

/** The page that confirms one order. */
export const confirmationOf = (orderNumber: string): string =>
  `${pages.orderConfirmation}?orderNumber=${encodeURIComponent(orderNumber)}`;

/** The tracking page of one order. Without the key of a mail's link it shows what anybody may see who knows the number. */
export const trackingOf = (orderNumber: string): string =>
  `${pages.lookup}?order=${encodeURIComponent(orderNumber)}`;

/** The gateway's routes. */
export const api = {
  config: "/api/config",
  pricing: (type: string) => `/api/pricing/services/${type.toLowerCase()}-certificate`,
  orders: "/api/orders",
  order: (id: string) => `/api/orders/${encodeURIComponent(id)}`,
  variants: (id: string) => `/api/orders/${encodeURIComponent(id)}/variants`,
  status: (id: string) => `/api/orders/${encodeURIComponent(id)}/status`,
  submit: (id: string) => `/api/orders/${encodeURIComponent(id)}/submit`,
  cancel: (id: string) => `/api/orders/${encodeURIComponent(id)}/cancel`,
  paymentIntent: "/api/create-payment-intent",
  orderByNumber: (orderNumber: string) => `/api/orders/lookup/${encodeURIComponent(orderNumber)}`,
  lookup: "/api/orders/lookup",
  access: "/api/orders/access",
} as const;

/** Where one can do without us. */
export const official = {
  order: "https://www.gro.gov.uk/gro/content/certificates/",
  fees: "https://www.gov.uk/order-copy-birth-death-marriage-certificate",
} as const;
