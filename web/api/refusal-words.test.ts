import { expect, test } from "vitest";
import { ApiError } from "./problem.ts";
import { refusalWords } from "./refusal-words.ts";

const refused = (status: number, body: object) => new ApiError(status, JSON.stringify(body), "");

test("refused fields come before the sentence about them", () => {
  const failure = refused(422, { detail: "Some answers", errors: { email: "Not an address" } });
  expect(refusalWords(failure)).toEqual(["Not an address"]);
});

test("a refusal says its sentence", () => {
  expect(refusalWords(refused(409, { detail: "It is being sent right now" }))).toEqual([
    "It is being sent right now",
  ]);
});

test("a server's fault and a lost connection are ours, whatever they say", () => {
  const ours = expect.stringContaining("on our end");
  expect(refusalWords(refused(500, { detail: "Internal" }))).toEqual([ours]);
  expect(refusalWords(new ApiError(503, "", "", "0f8fad5b"))).toEqual([
    ours,
    "Reference for support: 0f8fad5b",
  ]);
  expect(refusalWords(new TypeError("Failed to fetch"))).toEqual([ours]);
});
