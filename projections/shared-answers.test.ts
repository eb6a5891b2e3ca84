import { expect, it, vi } from "vitest";
import { keepAnswers } from "./shared-answers.ts";

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21) + seconds * 1000).toISOString();

it("shares a recent answer, also with concurrent callers, and asks again afterwards", async () => {
  const keep = keepAnswers<number>(60);
  const ask = vi.fn(async () => ask.mock.calls.length);
  const both = await Promise.all([keep("days", at(0), ask), keep("days", at(0), ask)]);
  expect(both).toEqual([1, 1]);
  expect(await keep("days", at(59), ask)).toBe(1);
  expect(await keep("others", at(59), ask)).toBe(2);
  expect(await keep("days", at(60), ask)).toBe(3);
});

it("does not keep a failure", async () => {
  const keep = keepAnswers<string>(60);
  await expect(keep("facts", at(0), () => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(await keep("facts", at(1), async () => "there")).toBe("there");
});

it("evicts the oldest of too many questions", async () => {
  const keep = keepAnswers<number>(60);
  for (let n = 0; n < 60; n++) await keep(`question ${n}`, at(0), async () => n);
  const again = vi.fn(async () => -1);
  expect(await keep("question 59", at(1), again)).toBe(59);
  expect(await keep("question 0", at(1), again)).toBe(-1);
});
