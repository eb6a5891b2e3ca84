import type { ElementType, ReactElement } from "react";
import { jsx } from "react/jsx-runtime";

/**
 * Gives every text that stands beside other children a `span` of its own. A browser that translates a page moves each
 * text into elements that React knows nothing of: React would then fail to remove the text, or to insert something
 * before it, and would change it where it is no longer shown. A text that is an element's only child is safe, because
 * React replaces all that the element contains.
 */
export function withTextInElements(type: ElementType, props: unknown): unknown {
  if (typeof props !== "object" || props === null || !("children" in props)) return props;
  const given: unknown = props.children;
  // A fragment has no element, nor has Suspense: their only text may still have siblings outside.
  const hasElement = typeof type !== "symbol";
  if (isText(given)) return hasElement ? props : { ...props, children: textElement(String(given), "text") };
  if (!Array.isArray(given)) return props;
  const children: readonly unknown[] = given;
  if (hasElement && children.length > 0 && children.every(isText))
    return { ...props, children: children.join("") };
  return { ...props, children: separated(children) };
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

const textElement = (text: string, key: string): ReactElement => jsx("span", { children: text }, key);
