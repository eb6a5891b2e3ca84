/** Every page that reads without script, and what its heading says. */
export const publicPages = [
  { path: "/", heading: "The certificate you need" },
  { path: "/services", heading: "Services" },
  { path: "/pricing", heading: "Pricing" },
  { path: "/how-it-works", heading: "How it works" },
  { path: "/about", heading: "About Us" },
  { path: "/support", heading: "Support" },
  { path: "/terms", heading: "Terms & Conditions" },
  { path: "/privacy", heading: "Privacy Policy" },
  { path: "/cookies", heading: "Cookies" },
  { path: "/accessibility", heading: "Accessibility statement" },
  { path: "/data-protection", heading: "Data protection complaints" },
  { path: "/transparency", heading: "Our public log" },
  { path: "/verify", heading: "Check a proof of deletion" },
] as const;
