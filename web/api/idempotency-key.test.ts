import { expect, test } from "vitest";
import { keyPerBody } from "./idempotency-key.ts";

test("a repeat of the same command carries the same key, another command another", () => {
  let count = 0;
  const keyOf = keyPerBody(() => `key-${++count}`);
  const first = keyOf({ message: "Hello" });
  expect(keyOf({ message: "Hello" })).toBe(first);
  expect(keyOf({ message: "Hello!" })).not.toBe(first);
});
