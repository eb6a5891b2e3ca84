import { totalmem } from "node:os";
import { expect, it } from "vitest";
import { availableMemoryBytes, embeddedSettings } from "./embedded-settings.ts";

const gb = 1024 ** 3;

it.each([
  ["a small container", 0.25 * gb, "128MB"],
  ["a small machine", 2 * gb, "512MB"],
  ["a large machine", 256 * gb, "1024MB"],
])("gives the database a quarter of the memory of %s, within bounds", (_, memoryBytes, expected) => {
  expect(embeddedSettings(memoryBytes)).toContain(`shared_buffers=${expected}`);
});

it("counts on no more memory than the machine has", () => {
  expect(availableMemoryBytes()).toBeGreaterThan(0);
  expect(availableMemoryBytes()).toBeLessThanOrEqual(totalmem());
});
