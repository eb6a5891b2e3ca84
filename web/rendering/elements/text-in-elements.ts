import type { ElementType, ReactElement, ReactNode } from "react";
import { jsx } from "react/jsx-runtime";

/**
 * Gives every text that stands beside other children a `span` of its own. A browser that translates a page moves each
 * text into elements that React knows nothing of: React would then fail to remove the text, or to insert something
 * before it, and would change it where it is no longer shown. A text that is an element's only child is safe, because
 * React replaces all that the element contains. What no translation may change is marked with `translate="no"`.
 */
export function withTextInElements(type: ElementType, props: unknown): unknown {
  if (typeof props !== "object" || props === null || !("children" in props)) return props;
  const given: unknown = props.children;
  const children: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (children.length === 0 || !children.every(isText))
    return Array.isArray(given) ? { ...props, children: separated(children) } : props;
  const text = children.join("");
  // A fragment has no element, nor has Suspense: their only text may still have siblings outside.
  if (typeof type === "symbol") return { ...props, children: textElement(text, "text") };
  if (typeof type !== "string" || textOnly.test(type) || "translate" in props)
    return { ...props, children: text };
  const content = contentOf(text);
  // In one element, or a flex container would make an item of each part.
  return {
    ...props,
    ...(typeof content.children === "string" ? content : { children: jsx("span", content) }),
  };
}

/** Elements that hold text and nothing else. */
const textOnly = /^(?:option|textarea|text|title)$/;

/**
 * Amounts, email addresses, order numbers, ticket numbers, references of orders, and postcodes: customers compare them
 * with others and quote them. A translation would write them in another way, or turn a digit into a word.
 */
const verbatim =
  /(£\d[\d,]*(?:\.\d\d)?|[\w.+-]+@[\w.-]*\w|(?:T-)?(?:[\dA-Z]{4}-){2}[\dA-Z]{5}|REF-[\d-]+|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b)/;

/** The content of an element for a text: the text, or its parts, each in an element. */
function contentOf(text: string): { children: ReactNode; translate?: "no" } {
  const parts = text.split(verbatim);
  if (text === parts[1]) return { children: text, translate: "no" };
  if (parts.length === 1) return { children: text };
  return {
    children: parts.map((children, at) =>
      children ? jsx("span", at % 2 === 1 ? { children, translate: "no" } : { children }, at) : null,
    ),
  };
}

/** Whether there is still a list of children. */
export const hasChildList = (props: unknown): boolean =>
  typeof props === "object" && props !== null && "children" in props && Array.isArray(props.children);

const isText = (child: unknown): boolean =>
  typeof child === "string" || typeof child === "number" || typeof child === "bigint";

/** Texts that follow each other share one element. The other children keep their places, by which React knows them. */
function separated(children: readonly unknown[]): unknown[] {
  return children.map((child, index) => {
    if (Array.isArray(child)) return separated(child);
    if (!isText(child)) return child;
    if (isText(children[index - 1])) return null;
    const end = children.findIndex((other, at) => at > index && !isText(other));
    const run = children.slice(index, end === -1 ? undefined : end).join("");
    return run === "" ? null : textElement(run, `text-${index}`);
  });
}

const textElement = (text: string, key: string): ReactElement => jsx("span", contentOf(text), key);
