import { defineConfig } from "vitest/config";
import { root } from "../../infra/setup/steps.ts";
import { patienceMs } from "./patience.ts";

const longestMs = 3 * patienceMs;

// Separate: these tests need the servers of npm run test:eventstore. Each runs if its server is given.
const servers = [
  { name: "eventstore", given: process.env.EVENTSTORE_TEST_URL, globalSetup: [] },
  {
    name: "postgres",
    given: process.env.POSTGRES_TEST_URL,
    globalSetup: ["testing/setup/given-postgres.ts"],
  },
  { name: "redis", given: process.env.REDIS_TEST_URL, globalSetup: [] },
];

export default defineConfig({
  root,
  test: {
    projects: servers
      .filter(({ given }) => given)
      .map(({ name, globalSetup }) => ({
        root,
        test: {
          name,
          include: [`**/*.on-${name}.server.test.ts`],
          globalSetup,
          setupFiles: ["testing/setup/between-tests.ts"],
          testTimeout: longestMs,
          hookTimeout: longestMs,
        },
      })),
  },
});
