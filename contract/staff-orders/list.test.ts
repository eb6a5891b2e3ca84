import { expect, it } from "vitest";
import { orderNumberOf } from "../../domain/numbers.ts";
import { searchKindOf } from "./list.ts";

const number = orderNumberOf(123_456_789_012_345n);

it.each([
  [number, "number"],
  [number.toLowerCase().replaceAll("-", " "), "number"],
  [` ${number.replaceAll("-", "")} `, "number"],
  ["sian@post.example", "email"],
  ["CF10 1EP", "postcode"],
  ["m11ae", "postcode"],
  ["Wójcik-Rhys", "surname"],
  ["7K3M-9QXT-2BWHE", "surname"],
  ["", "surname"],
])("takes %j for a %s", (typed, kind) => {
  expect(searchKindOf(typed)).toBe(kind);
});
