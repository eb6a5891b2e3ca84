import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { close } from "./vault-rows.ts";

const binding = {
  recordId: "6f0a4d6e-57c1-4f0e-9a5f-1c4d7e2b8a90",
  subject: "0d5b8f0e-3c1c-4f51-8f0d-5a1e9b7c6d24",
  dataClass: "contact",
  kind: "contact",
  schemaVersion: 1,
} as const;

test("Each record has a nonce of its own, however many are sealed", () => {
  const key = randomBytes(32);
  const nonces = Array.from({ length: 1_000 }, () => close({}, key, binding).nonce);
  for (const nonce of nonces) expect(nonce).toHaveLength(12);
  expect(new Set(nonces.map((nonce) => nonce.toString("hex"))).size).toBe(nonces.length);
});
