import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { patienceMs } from "./testing/setup/patience.ts";

const setupFiles = ["testing/setup/between-tests.ts"];

const longestMs = 3 * patienceMs;

export default defineConfig({
  test: {
    // Two for each core: tests wait as much as they work.
    maxWorkers: 2 * availableParallelism(),
    // Files share what they import, and nothing else: loading it all anew for each took two thirds of the unit tests'
    // time.
    isolate: false,
    // By itself a poll gives up after a second, which a busy machine takes for one page.
    expect: { poll: { timeout: patienceMs } },
    // Longer than any wait in it, so that a wait says what it waited for.
    testTimeout: longestMs,
    hookTimeout: longestMs,
    // A snapshot that is missing fails, on every machine; `-u` writes it.
    update: "none",
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["**/*.test.ts"],
          exclude: [
            "**/*.integration.test.ts",
            "**/*.faults.test.ts",
            "**/*.browser.test.ts",
            "**/*.server.test.ts",
            "**/node_modules/**",
            "**/dist/**",
          ],
          setupFiles,
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["**/*.integration.test.ts"],
          setupFiles,
          globalSetup: ["testing/postgres/test-server.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "faults",
          include: ["**/*.faults.test.ts"],
          setupFiles,
          globalSetup: ["testing/postgres/test-server.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["web/e2e/**/*.browser.test.ts"],
          setupFiles,
          globalSetup: ["testing/setup/browser-setup.ts"],
        },
      },
    ],
  },
});
