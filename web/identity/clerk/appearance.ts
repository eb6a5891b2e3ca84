const hidden = { display: "none" } as const;

/** Clerk's pages in our colours, which follow the reader's scheme, and without what we do not offer. */
export const appearance = {
  variables: {
    colorPrimary: "var(--color-primary)",
    colorPrimaryForeground: "var(--color-on-primary)",
    colorForeground: "var(--color-ink)",
    colorMutedForeground: "var(--color-muted)",
    colorBackground: "var(--color-paper)",
    colorInput: "var(--color-surface)",
    colorInputForeground: "var(--color-ink)",
    colorBorder: "var(--color-field)",
    colorDanger: "var(--color-danger)",
    fontFamily: "inherit",
    borderRadius: "0.25rem",
  },
  elements: {
    rootBox: { width: "100%" },
    cardBox: { width: "100%", maxWidth: "100%", boxShadow: "none", border: "none" },
    card: { padding: "0", boxShadow: "none", border: "none" },
    // The page has a heading of its own.
    header: hidden,
    socialButtonsRoot: hidden,
    socialButtons: hidden,
    dividerRow: hidden,
    footer: hidden,
    captcha: hidden,
  },
} as const;
