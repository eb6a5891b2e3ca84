import type { ElementType, Key, ReactElement } from "react";
import { Fragment, type JSXSource, jsxDEV as reactJsxDev } from "react/jsx-dev-runtime";
import { hasChildList, withTextInElements } from "./text-in-elements.ts";

// The same in development.

export { Fragment };

export const jsxDEV = (
  type: ElementType,
  props: unknown,
  key: Key | undefined,
  isStatic: boolean,
  source?: JSXSource,
  self?: unknown,
): ReactElement => {
  const separated = withTextInElements(type, props);
  return reactJsxDev(type, separated, key, isStatic && hasChildList(separated), source, self);
};
