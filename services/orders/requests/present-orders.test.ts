import { describe, expect, test } from "vitest";
import { maskEmail, maskName } from "./present-orders.ts";

describe("Masking", () => {
  test.each([
    ["Siân ap Rhys", "S••• a••• R•••"],
    ["  Zoë  ", "Z•••"],
    ["𝒜lpha", "𝒜•••"],
    ["", ""],
  ])("leaves of the name %j %j", (name, masked) => {
    expect(maskName(name)).toBe(masked);
  });

  test.each([
    ["jo@mail.example", "j•••@m•••.example"],
    ["jo@a.b.co.uk", "j•••@a•••.uk"],
    ["jo@localhost", "j•••@l•••"],
    ["not an address", "•••"],
    ["@mail.example", "•••"],
  ])("leaves of the address %j %j", (email, masked) => {
    expect(maskEmail(email)).toBe(masked);
  });
});
