import { expect, it } from "vitest";
import { queueWords } from "../../layout/work-queues.ts";
import {
  builtInViews,
  choiceOf,
  isNarrowed,
  keepViews,
  pageAt,
  pageOf,
  readViews,
  withView,
} from "./list-query.tsx";

const holding = (text: string | null) => ({ getItem: () => text });
const address = (query: string) => new URLSearchParams(query);

it("saves and reads views by name", () => {
  const kept: string[] = [];
  const views = withView([], "Deaths", address("type=Death&sort=paid&after=xyz&other=1"));
  keepViews({ setItem: (_, text) => void kept.push(text) }, views);
  expect(readViews(holding(kept[0] ?? null))).toEqual([{ name: "Deaths", query: "type=Death&sort=paid" }]);
  expect(withView(views, "Deaths", address("type=Birth"))).toEqual([{ name: "Deaths", query: "type=Birth" }]);
});

it.each([null, "", "{", "7", '[{"name": 1}]', '{"name": "x"}'])("reads %j as no views", (text) => {
  expect(readViews(holding(text))).toEqual([]);
});

it("keeps no more than twenty", () => {
  const many = Array.from({ length: 25 }, (_, n) => ({ name: `${n}`, query: "" }));
  expect(readViews(holding(JSON.stringify(many)))).toHaveLength(20);
  expect(withView(many, "newest", address("")).at(-1)).toEqual({ name: "newest", query: "" });
});

it("sends filters, sort order and page to the server, and no other parameters", () => {
  const parameters = address("queue=overdue&duplicates=recent&checkout=c1&sort=total&after=abc&before=&x=1");
  expect(pageOf(parameters)).toBe("queue=overdue&duplicates=recent&checkout=c1&sort=total&after=abc");
  expect(choiceOf(parameters)).toBe("queue=overdue&duplicates=recent&checkout=c1&sort=total");
  expect(pageAt(parameters, { before: "def" })).toBe(
    "queue=overdue&duplicates=recent&checkout=c1&sort=total&before=def",
  );
  expect(pageAt(parameters, null)).toBe("queue=overdue&duplicates=recent&checkout=c1&sort=total");
});

it("tells a filtered list from a sorted one", () => {
  expect(isNarrowed(address("sort=total&direction=ascending"))).toBe(false);
  expect(isNarrowed(address("paidFrom=2026-01-01"))).toBe(true);
});

it("has built-in views with unique names and queries", () => {
  for (const of of ["name", "query"] as const)
    expect(new Set(builtInViews.map((view) => view[of])).size).toBe(builtInViews.length);
});

it("calls what waits for a second person by the dashboard's name: not all of it is refunds", () => {
  const view = builtInViews.find(({ query }) => query.includes("refundProposed"));
  expect(view?.name).toBe(queueWords.refundProposed.title);
});
