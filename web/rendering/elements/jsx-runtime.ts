import type { ElementType, Key, ReactElement } from "react";
import { Fragment, jsx as reactJsx, jsxs as reactJsxs } from "react/jsx-runtime";
import { hasChildList, withTextInElements } from "./text-in-elements.ts";

// What the build compiles JSX to (`jsxImportSource` in vite.config.ts): React's own, with texts in elements.

export { Fragment };

export const jsx = (type: ElementType, props: unknown, key?: Key): ReactElement =>
  reactJsx(type, withTextInElements(type, props), key);

export const jsxs = (type: ElementType, props: unknown, key?: Key): ReactElement => {
  const separated = withTextInElements(type, props);
  // Texts alone become one, which is no list any more.
  return hasChildList(separated) ? reactJsxs(type, separated, key) : reactJsx(type, separated, key);
};
