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

it("keeps amounts, addresses and numbers from being translated, wherever they stand", () => {
  const kept = (text: string) => `<span translate="no">${text}</span>`;
  expect(markup("p", "£45.00")).toBe('<p translate="no">£45.00</p>');
  expect(markup("p", "Pay ", "£1,045.00")).toBe(`<p><span><span>Pay </span>${kept("£1,045.00")}</span></p>`);
  expect(markup("p", "Use a.b+c@mail.example.org.", line)).toBe(
    `<p><span><span>Use </span>${kept("a.b+c@mail.example.org")}<span>.</span></span><br/></p>`,
  );
  for (const text of ["7K3M-9QXT-2BWHD", "T-7K3M-9QXT-2BWHD", "REF-2026-7", "SW1A 2AA", "NG1 1HN", "£35"]) {
    expect(markup("p", `(${text})`)).toBe(`<p><span><span>(</span>${kept(text)}<span>)</span></span></p>`);
  }
  expect(markup("option", "Priority, £45.00")).toBe("<option>Priority, £45.00</option>");
  expect(renderToStaticMarkup(jsxs("p", { children: ["£", 45], translate: "yes" }))).toBe(
    '<p translate="yes">£45</p>',
  );
});

it("gives the texts of a fragment elements, whose siblings are outside", () => {
  expect(markup(Fragment, "a", "b")).toBe("<span>ab</span>");
  expect(renderToStaticMarkup(jsx(Fragment, { children: "a" }))).toBe("<span>a</span>");
  expect(renderToStaticMarkup(jsx(Suspense, { children: "a" }))).toBe("<span>a</span>");
});
