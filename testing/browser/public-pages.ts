/** The pages of text, which the app leaves as they are, and what their headings say. */
export const textPages = [
  { path: "/", heading: "The certificate you need" },
  { path: "/services", heading: "Services" },
  { path: "/pricing", heading: "Pricing" },
  { path: "/how-it-works", heading: "How it works" },
  { path: "/about", heading: "About Us" },
  { path: "/terms", heading: "Terms & Conditions" },
  { path: "/privacy", heading: "Privacy Policy" },
  { path: "/cookies", heading: "Cookies" },
  { path: "/accessibility", heading: "Accessibility statement" },
] as const;

/** The pages that read without script, and need the app for a form or a check. */
export const hydratedPages = [
  { path: "/support", heading: "Support" },
  { path: "/data-protection", heading: "Data protection complaints" },
  { path: "/transparency", heading: "Our public log" },
  { path: "/verify", heading: "Check a proof of deletion" },
] as const;

/** Every page that reads without script. */
export const publicPages = [...textPages, ...hydratedPages];
