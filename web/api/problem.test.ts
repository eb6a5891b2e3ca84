import { expect, test } from "vitest";
import { ApiError, refusalWords } from "./problem.ts";

test("the message is the status code, a colon and the body, or the status text where there is no body", () => {
  expect(new ApiError(503, "try later", "Service Unavailable").message).toBe("503: try later");
  expect(new ApiError(503, "", "Service Unavailable").message).toBe("503: Service Unavailable");
});

test("a Problem Details body gives its code, its sentence and each refused field", () => {
  const body = JSON.stringify({
    title: "Some fields are missing or wrong.",
    code: "invalid-fields",
    errors: { email: "Please enter a valid email address", "contactAddress.Town": ["Town is required"] },
  });
  const error = new ApiError(422, body, "Unprocessable");
  expect(error.code).toBe("invalid-fields");
  expect(error.detail).toBe("Some fields are missing or wrong.");
  expect(error.fields).toEqual([
    { field: "email", message: "Please enter a valid email address" },
    { field: "contactAddress.Town", message: "Town is required" },
  ]);
});

test.each(["<h1>Bad gateway</h1>", "[]", '"text"'])(
  "a body that is no problem (%s) names no field",
  (body) => {
    const error = new ApiError(502, body, "Bad Gateway");
    expect(error.fields).toEqual([]);
    expect(error.code).toBeNull();
  },
);

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
  const ourFault = expect.stringContaining("on our end");
  expect(refusalWords(refused(500, { detail: "Internal" }))).toEqual([ourFault]);
  expect(refusalWords(new ApiError(503, "", "", { reference: "0f8fad5b" }))).toEqual([
    ourFault,
    "Reference for support: 0f8fad5b",
  ]);
  expect(refusalWords(new TypeError("Failed to fetch"))).toEqual([ourFault]);
});
