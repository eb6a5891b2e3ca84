import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { expect, it } from "vitest";
import { InboxViews, queryOf, viewOf } from "./inbox-views.tsx";

it.each([
  ["", "status=Open&order=longest"],
  ["view=Waiting", "status=Waiting&order=longest"],
  ["view=Closed", "status=Closed&order=newest"],
  ["view=due", "order=due"],
  ["view=nonsense&assignee=mine", "status=Open&order=longest&assignee=mine"],
  ["order=newest&category=question", "status=Open&order=newest&category=question"],
  ["after=2026-11-21%7Eid&utm=1", "status=Open&order=longest&after=2026-11-21%7Eid"],
])("the address ?%s asks for ?%s", (address, query) => {
  expect(queryOf(new URLSearchParams(address))).toBe(query);
});

it.each(["Open", "Waiting", "due", "Closed"] as const)("knows the view %s by its query", (view) => {
  expect(viewOf(queryOf(new URLSearchParams({ view })))).toBe(view);
});

const counts = {
  open: { mine: 1, unassigned: 2, all: 4 },
  waiting: { mine: 3, unassigned: 5, all: 9 },
  ...{ due: 7, late: 6, unreached: 0 },
};

it.each([
  ["", ["To answer4", "Waiting9", "Statutory deadlines7, 6 overdue", "Closed"]],
  ["assignee=mine", ["To answer1", "Waiting3", "Statutory deadlines", "Closed"]],
  ["assignee=unassigned", ["To answer2", "Waiting5", "Statutory deadlines", "Closed"]],
  ["category=dataRequest", ["To answer", "Waiting", "Statutory deadlines", "Closed"]],
])("under ?%s shows no count that its list would not have", (address, shown) => {
  const views = createElement(InboxViews, { counts });
  const page = createElement(MemoryRouter, { initialEntries: [`/tickets?${address}`] }, views);
  const links = renderToStaticMarkup(page).match(/<a .*?<\/a>/g) ?? [];
  expect(links.map((link) => link.replaceAll(/<[^>]*>/g, ""))).toEqual(shown);
});
