const hidden = { display: "none" } as const;
const bare = {
  padding: "0",
  border: "none",
  boxShadow: "none",
  borderRadius: "0",
  overflow: "visible",
} as const;
/** As wherever the focus is on our pages. */
const focus = { outline: "3px solid var(--color-primary)", outlineOffset: "2px" } as const;
const control = { minHeight: "2.75rem", fontSize: "1rem", "&:focus-visible": focus } as const;

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
    colorDanger: "var(--color-danger)",
    fontFamily: "inherit",
    fontSize: "1rem",
    borderRadius: "0.25rem",
  },
  elements: {
    rootBox: { width: "100%" },
    cardBox: { ...bare, width: "100%", maxWidth: "100%" },
    card: bare,
    // The page has a heading of its own.
    header: hidden,
    formFieldLabel: { fontSize: "1rem" },
    formFieldInput: control,
    formButtonPrimary: { ...control, backgroundImage: "none", boxShadow: "none", "&:after": hidden },
    formFieldErrorText: { fontSize: "1rem" },
    socialButtonsRoot: hidden,
    socialButtons: hidden,
    dividerRow: hidden,
    footer: hidden,
  },
} as const;
