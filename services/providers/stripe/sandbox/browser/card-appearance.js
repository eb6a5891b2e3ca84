const variables = [
  "colorPrimary",
  "colorBackground",
  "colorText",
  "colorTextSecondary",
  "colorTextPlaceholder",
  "colorDanger",
  "borderRadius",
  "fontFamily",
  "fontSizeBase",
  "spacingUnit",
];

// Stripe's rules name classes with a state; other selectors may not style the fields.
const selector = /^\.(Input|Label|Error)(--invalid)?(:focus|:hover|::placeholder)?$/;
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets = [sheet];

const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Applies the variables and rules of Stripe's Appearance that these fields support. */
export function applyAppearance({ variables: given = {}, rules = {} } = {}) {
  const root = document.documentElement.style;
  for (const name of variables) {
    if (typeof given[name] === "string") root.setProperty(`--${name}`, given[name]);
    else root.removeProperty(`--${name}`);
  }
  sheet.replaceSync("");
  for (const [name, declarations] of Object.entries(rules)) {
    if (!selector.test(name)) continue;
    const at = sheet.insertRule(
      `${name.replace("--invalid", '[aria-invalid="true"]')} {}`,
      sheet.cssRules.length,
    );
    for (const [property, value] of Object.entries(declarations)) {
      sheet.cssRules[at].style.setProperty(kebab(property), String(value));
    }
  }
}
