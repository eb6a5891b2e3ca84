import { expect, it } from "vitest";
import { ApiError } from "../../../api/problem.ts";
import { refusalWords } from "./ticket-texts.ts";

const answered = (status: number, body: object) => new ApiError(status, JSON.stringify(body), "");

it.each([
  [
    answered(409, { code: "changed-meanwhile", title: "It has changed" }),
    /changed while you were working.*try again/,
  ],
  [answered(409, { code: "forbidden-in-phase", title: "This is not possible now." }), /has been destroyed/],
  [
    answered(422, { errors: { orderNumber: "There is no order with this number" } }),
    /^There is no order with this number$/,
  ],
  [
    answered(429, { title: "Too many requests from your network. Please wait a little and try again." }),
    /^Too many requests/,
  ],
  [answered(503, { title: "This is taking too long: please try again." }), /nothing will be done twice/],
  [answered(403, {}), /Nothing has changed/],
  [new TypeError("fetch failed"), /nothing will be done twice/],
])("says why: %s", (failure, words) => {
  expect(refusalWords(failure)).toMatch(words);
});
