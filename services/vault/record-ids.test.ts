import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { idDeriver, uuidV5 } from "./record-ids.ts";

it("makes the UUIDs that RFC 9562 gives as an example", () => {
  const dns = Buffer.from("6ba7b8109dad11d180b400c04fd430c8", "hex");
  expect(uuidV5(dns, "www.example.com")).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
});

it("gives the same parts the same id, and keeps parts apart that read alike when joined", () => {
  const derive = idDeriver(randomBytes(32));
  expect(derive("contact", "one")).toBe(derive("contact", "one"));
  expect(derive("a", "bc")).not.toBe(derive("ab", "c"));
  expect(derive("contact", "one")).not.toBe(idDeriver(randomBytes(32))("contact", "one"));
});
