import { expect, test } from "vitest";
import { memoryStorage } from "../../testing/pages/memory-storage.ts";
import { newestPosition } from "./request.ts";

test("nothing is known before the first command", () => {
  expect(newestPosition(memoryStorage()).read()).toBeNull();
  expect(newestPosition(undefined).read()).toBeNull();
});

test("the newest position is kept, also over a reload", () => {
  const storage = memoryStorage();
  newestPosition(storage).note("00000000000000000009");
  newestPosition(storage).note("00000000000000000010");
  expect(newestPosition(storage).read()).toBe("00000000000000000010");
});

test("an answer that arrives late does not turn it back, and one without a position changes nothing", () => {
  const positions = newestPosition(memoryStorage());
  positions.note("00000000000000000010");
  positions.note("00000000000000000009");
  positions.note(null);
  expect(positions.read()).toBe("00000000000000000010");
});
