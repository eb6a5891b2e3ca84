import { afterAll, afterEach, beforeEach, expect, onTestFinished, vi } from "vitest";
import { folderRemover } from "./temporary-folder.ts";

// Unexpected output fails a test: warnings are otherwise ignored. A test that expects output spies on the console
// itself.
const watched = ["error", "warn", "log", "info"] as const;
let seen: string[] = [];

// Runs after the file's own hooks, which stop what writes there.
afterAll(folderRemover());
beforeEach(() => onTestFinished(folderRemover()));

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

// Files share a process: what one put in the place of a global, a variable or the clock would answer the next.
afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.useRealTimers();
});
