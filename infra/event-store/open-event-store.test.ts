import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../setup/steps.ts";

/** Files of EventStoreDB's client in a process that has imported these modules. */
function clientFilesAfter(...modules: readonly string[]): number {
  const paths = modules.map((path) => JSON.stringify(join(root, path)));
  const script = `
    import { createRequire } from "node:module";
    for (const path of [${paths}]) await import(path);
    const { cache } = createRequire(import.meta.url);
    console.log(Object.keys(cache).filter((file) => file.includes("@eventstore")).length);
    process.exit();
  `;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

it("loads EventStoreDB's client only where the log is in one", () => {
  expect(
    clientFilesAfter("services/composition/app-dependencies.ts", "services/composition/background-worker.ts"),
  ).toBe(0);
  expect(clientFilesAfter("infra/event-store/kurrent/kurrent-event-store.ts")).toBeGreaterThan(0);
});
