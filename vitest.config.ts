import { defineConfig } from "vitest/config";

const setupFiles = ["infra/setup/console-guard.ts"];

/** A machine that stalls for half a minute ends a wait in any of some hundred tests; what is wrong is wrong again. The report names what was retried. */
const onceMore = 1;

export default defineConfig({
  test: {
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
          // Each file starts the whole product and a browser; two at once on two cores time out.
          fileParallelism: false,
        },
      },
    ],
  },
});
