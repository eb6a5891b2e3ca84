import { expect, test } from "vitest";
import { applicantNamed } from "./applicant-named.ts";

test.each([
  ["Mrs Siân Rhŷs-Żak", "Siân", "Rhŷs-Żak"],
  ["Dr Anwen Mair  Llŷr", "Anwen Mair", "Llŷr"],
  ["Anwen Llŷr", "Anwen", "Llŷr"],
  ["Prof Llŷr", "", "Llŷr"],
])("%s", (fullName, customerFirstName, customerLastName) => {
  expect(applicantNamed(fullName)).toEqual({ customerFirstName, customerLastName });
});
