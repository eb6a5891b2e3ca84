import { afterEach, beforeEach, expect, vi } from "vitest";

// A warning nobody reads is a fault nobody mends: output that a test did not expect fails it. A test that expects
// output spies on the console itself.
const watched = ["error", "warn", "log", "info"] as const;
let seen: string[] = [];

beforeEach(() => {
  seen = [];
  for (const name of watched) {
    vi.spyOn(console, name).mockImplementation((...words: unknown[]) => {
      seen.push(`console.${name}: ${words.map(String).join(" ")}`);
    });
  }
});

afterEach(() => {
  vi.restoreAllMocks();
  expect(seen, "unexpected console output").toEqual([]);
});
