import { expect, test } from "vitest";
import { applicantNamed } from "./names.ts";

test.each([
  ["Mrs Siân Rhŷs-Żak", "Siân", "Rhŷs-Żak"],
  ["Dr Anwen Mair  Llŷr", "Anwen Mair", "Llŷr"],
  ["Anwen Llŷr", "Anwen", "Llŷr"],
  ["Prof Llŷr", "", "Llŷr"],
  ["Ms Mary Ann van der Berg", "Mary Ann", "van der Berg"],
  ["Mr Dafydd ap Gwilym", "Dafydd", "ap Gwilym"],
  ["Mrs Ana Alvarez de Toledo", "Ana Alvarez", "de Toledo"],
  ["Mr Van Morrison", "Van", "Morrison"],
  ["Dr von Berg", "", "von Berg"],
])("%s", (fullName, customerFirstName, customerLastName) => {
  expect(applicantNamed({ contactFullName: fullName })).toEqual({ customerFirstName, customerLastName });
});

test.each([
  ["Ms Mary Ann van der Berg", "van der Berg", "Mary Ann", "van der Berg"],
  [
    "Mrs Ana Alvarez de Toledo y Figueroa",
    "Alvarez de Toledo y Figueroa",
    "Ana",
    "Alvarez de Toledo y Figueroa",
  ],
  // Staff have corrected the name since.
  ["Ms Mary Ann Jones", "van der Berg", "Mary Ann", "Jones"],
])("the last name of %s is %s, where it was told apart", (contactFullName, contactLastName, first, last) => {
  expect(applicantNamed({ contactFullName, contactLastName })).toEqual({
    customerFirstName: first,
    customerLastName: last,
  });
});
