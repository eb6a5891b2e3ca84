import type { ElementType } from "react";
import { Suspense } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Fragment, jsx, jsxs } from "./jsx-runtime.ts";

const markup = (type: ElementType, ...children: readonly unknown[]): string =>
  renderToStaticMarkup(jsxs(type, { children }));
const line = jsx("br", {});

it("gives a text beside elements an element of its own, and joins texts that follow each other", () => {
  expect(markup("p", "Step ", 2, line, " of 5")).toBe("<p><span>Step 2</span><br/><span> of 5</span></p>");
  expect(markup("p", false, "still here")).toBe("<p><span>still here</span></p>");
  expect(markup("p", line, [line, "in a list"])).toBe("<p><br/><br/><span>in a list</span></p>");
});

it("leaves texts alone that are all an element contains", () => {
  expect(markup("option", 2, " copies")).toBe("<option>2 copies</option>");
  expect(renderToStaticMarkup(jsx("p", { children: "one" }))).toBe("<p>one</p>");
});

it("gives the texts of a fragment elements, whose siblings are outside", () => {
  expect(markup(Fragment, "a", "b")).toBe("<span>ab</span>");
  expect(renderToStaticMarkup(jsx(Fragment, { children: "a" }))).toBe("<span>a</span>");
  expect(renderToStaticMarkup(jsx(Suspense, { children: "a" }))).toBe("<span>a</span>");
});
