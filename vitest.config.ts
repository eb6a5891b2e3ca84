import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const setupFiles = ["infra/setup/console-guard.ts"];

/** A machine that stalls for half a minute ends a wait in any of some hundred tests; what is wrong is wrong again. The report names what was retried. */
const onceMore = 1;

export default defineConfig({
  test: {
    // By itself Vitest leaves a core to whoever watches: of two that is half of all. Tests wait as much as they work.
    maxWorkers: Math.max(2, availableParallelism()),
    // Files share what they import, and nothing else: loading it all anew for each took two thirds of the unit tests' time.
    isolate: false,
    // As patient as the other waits: by itself a poll gives up after a second, which a busy machine takes for one page.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["**/*.test.ts"],
          exclude: [
            "**/*.integration.test.ts",
            "**/*.browser.test.ts",
            "**/*.server.test.ts",
            "**/node_modules/**",
            "**/dist/**",
          ],
          setupFiles,
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["**/*.integration.test.ts"],
          setupFiles,
          globalSetup: ["infra/postgres/test-server.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          retry: onceMore,
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["web/e2e/**/*.browser.test.ts"],
          setupFiles,
          testTimeout: 90_000,
          hookTimeout: 120_000,
          retry: onceMore,
        },
      },
    ],
  },
});
