import { defineConfig } from "vitest/config";
import { root } from "./steps.ts";

// Apart from the others: these tests need the server that npm run test:eventstore finds.
export default defineConfig({
  root,
  test: {
    name: "eventstore",
    include: ["**/*.server.test.ts"],
    setupFiles: ["infra/setup/console-guard.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
