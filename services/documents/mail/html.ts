/** Markup that is safe to send: every interpolated value is escaped, or is itself such markup. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

type HtmlValue = Html | string | number | readonly HtmlValue[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const render = (value: HtmlValue): string => {
  if (value instanceof Html) return value.markup;
  if (typeof value === "string") return value.replace(/[&<>"']/g, (sign) => entities[sign] ?? "");
  if (typeof value === "number") return String(value);
  return value.map(render).join("");
};

/** A template literal tag that escapes values, in text and in quoted attributes alike. */
export function html(literals: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(
    literals.map((literal, at) => literal + (at < values.length ? render(values[at] ?? "") : "")).join(""),
  );
}
