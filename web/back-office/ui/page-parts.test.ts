import { expect, test } from "vitest";
import { ApiError } from "../../api/problem.ts";
import { whyOf } from "./page-parts.tsx";

const answered = (status: number, code?: string): ApiError =>
  new ApiError(status, JSON.stringify({ code }), "", { reference: "r-1" });

test.each([
  ["no answer", new TypeError("Failed to fetch"), /^There was no response\. Check your connection/],
  ["an error of the server", answered(500), /^The server could not answer\..* Reference for support: r-1$/],
  ["a server that is busy or starting", answered(503), /^The server could not answer\./],
  ["an ended session", answered(401), /no longer signed in/],
  ["another role's page", answered(403), /^Your role does not allow you/],
  ["too many requests", answered(429), /^There were too many requests\./],
  ["a history that cannot be read", answered(503, "record-unreadable"), /^Its history cannot be read/],
  ["an answer in another shape", new Error("Invalid input"), /reload the page/],
])("Says apart why something could not be loaded: %s", (_, failure, words) => {
  expect(whyOf(failure)).toMatch(words);
});
