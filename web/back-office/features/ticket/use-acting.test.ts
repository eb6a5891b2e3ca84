import { expect, it } from "vitest";
import { ApiError } from "../../../api/problem.ts";
import { refusalWords } from "./use-acting.ts";

const answered = (status: number, body: object) => new ApiError(status, JSON.stringify(body), "");

it.each([
  [
    answered(409, { code: "changed-meanwhile", title: "It has changed" }),
    /changed while you were busy.*press again/,
  ],
  [answered(409, { code: "forbidden-in-phase", title: "This cannot be done now." }), /has been destroyed/],
  [
    answered(422, { errors: { orderNumber: "There is no order with this number" } }),
    /^There is no order with this number$/,
  ],
  [answered(429, { title: "Too many requests: please wait a moment." }), /^Too many requests/],
  [answered(500, {}), /Nothing was changed/],
  [new TypeError("fetch failed"), /nothing is done twice/],
])("says why: %s", (failure, words) => {
  expect(refusalWords(failure)).toMatch(words);
});
