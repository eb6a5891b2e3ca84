import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { idDeriver } from "./vault.ts";

it("gives equal parts equal ids, and different ids to parts that are equal when joined", () => {
  const derive = idDeriver(randomBytes(32));
  expect(derive("contact", "one")).toBe(derive("contact", "one"));
  expect(derive("a", "bc")).not.toBe(derive("ab", "c"));
  expect(derive("contact", "one")).not.toBe(idDeriver(randomBytes(32))("contact", "one"));
});
