import { expect, it } from "vitest";
import { sizeWords } from "./file-size.ts";

it.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [999, "999 bytes"],
  [1_499, "1 KB"],
  [999_400, "999 KB"],
  [3_449_000, "3.4 MB"],
  [10_000_000, "10 MB"],
])("says %i bytes as %s", (bytes, words) => {
  expect(sizeWords(bytes)).toBe(words);
});
