import type { Appearance } from "@stripe/stripe-js";

/** Our tokens as the payment provider's form takes them: indigo primary, light or dark as the page is. */
export function appearanceFrom(tokens: Pick<CSSStyleDeclaration, "getPropertyValue">): Appearance {
  const token = (name: string): string => tokens.getPropertyValue(name).trim();
  const field = token("--color-field");
  return {
    theme: "stripe",
    variables: {
      colorPrimary: token("--color-primary"),
      colorBackground: token("--color-surface"),
      colorText: token("--color-ink"),
      colorTextSecondary: token("--color-muted"),
      colorTextPlaceholder: token("--color-muted"),
      colorDanger: token("--color-danger"),
      borderRadius: "4px",
      fontFamily: "Inter, system-ui, sans-serif",
      fontSizeBase: "16px",
      spacingUnit: "4px",
    },
    rules: {
      ".Input": { border: `1px solid ${field}`, boxShadow: "none", padding: "12px" },
      ".Label": { fontWeight: "600" },
    },
  };
}
