import { expect, it } from "vitest";
import { uuidV5 } from "./sealing.ts";

it("creates the example UUIDs of RFC 9562", () => {
  const dns = Buffer.from("6ba7b8109dad11d180b400c04fd430c8", "hex");
  expect(uuidV5(dns, "www.example.com")).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
});
