import { expect, it } from "vitest";
import { queryOf, viewOf } from "./inbox-views.tsx";

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
