import { expect, test } from "vitest";
import { helpGroups } from "./articles.ts";
import { searchArticles } from "./search-articles.ts";

const articles = helpGroups.flatMap((group) => group.articles);
const best = (typed: string) => searchArticles(typed, articles)[0]?.id;

test.each([
  ["where is my certificate", "where-is-it"],
  ["REFUNDS", "cancel"],
  ["declined", "payment-failed"],
  ["scottish", "scotland-northern-ireland"],
  ["adoption", "adopted"],
  ["is this a scam?", "are-you-official"],
  ["gdpr", "data"],
  ["send to my solicitor", "post-to-someone-else"],
  ["wrong name", "mistake"],
  ["email bounced", "could-not-reach-you"],
  ["could not reach me", "could-not-reach-you"],
  ["spam folder", "could-not-reach-you"],
])("'%s' leads to the article that answers it", (typed, id) => {
  expect(best(typed)).toBe(id);
});

test("letters with and without their marks are the same", () => {
  expect(best("réfund")).toBe(best("refund"));
});

test("nothing typed, or only empty words, keeps all articles in their order", () => {
  expect(searchArticles("  ", articles)).toBe(articles);
  expect(searchArticles("how do I", articles)).toBe(articles);
});

test("every word must be there: what no article speaks of finds none", () => {
  expect(searchArticles("refund zeppelin", articles)).toEqual([]);
});

test("each article has an address of its own, a question that ends as one, and an answer", () => {
  expect(new Set(articles.map(({ id }) => id)).size).toBe(articles.length);
  for (const { id, question, answer } of articles) {
    expect(id).toMatch(/^[a-z0-9-]+$/);
    expect(question).toMatch(/\?$/);
    expect(answer.length).toBeGreaterThan(0);
  }
});
