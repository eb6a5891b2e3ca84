import { expect, test } from "vitest";
import { guilloche } from "./guilloche.ts";

const fingerprint = "9f31c07a5be24d18a6f013cc7e92b8450d6e2f81c3a94b57e0f2861d5c7a9b34";
const drawn = (hex: string): string =>
  guilloche(hex)
    .map(({ path }) => path)
    .join();

test("the same fingerprint always gives the same rosette", () => {
  expect(drawn(fingerprint)).toBe(drawn(fingerprint));
  expect(drawn(fingerprint.toUpperCase())).toBe(drawn(fingerprint));
});

test("changing any one digit changes the rosette", () => {
  const seen = new Set([drawn(fingerprint)]);
  for (let position = 0; position < fingerprint.length; position += 1) {
    const digit = (Number.parseInt(fingerprint.charAt(position), 16) + 1) % 16;
    seen.add(drawn(fingerprint.slice(0, position) + digit.toString(16) + fingerprint.slice(position + 1)));
  }
  expect(seen.size).toBe(fingerprint.length + 1);
});

test.each([fingerprint, "0".repeat(64), "f".repeat(64)])(
  "every curve of %s stays within its square",
  (hex) => {
    for (const { path } of guilloche(hex)) {
      const figures = path.match(/-?\d+(\.\d+)?/g)?.map(Number) ?? [];
      expect(figures.length).toBeGreaterThan(1000);
      expect(Math.min(...figures)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...figures)).toBeLessThanOrEqual(200);
    }
  },
);
