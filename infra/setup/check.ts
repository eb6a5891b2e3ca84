import { commandLine } from "./command-line.ts";
import { commandFile, runNode } from "./steps.ts";

/** `run` resolves to whether it passed. */
type Check = { readonly name: string; readonly run: () => Promise<boolean>; readonly remedy?: string };

export const types: Check = {
  name: "types",
  run: async () => (await runNode(commandFile("typescript", "bin/tsc"), ["-p", "."])) === 0,
};

/** Lint, with format and import rules. Files that it does not know pass. */
export const lint = (paths: readonly string[]): Check => ({
  name: "lint",
  run: async () =>
    (await runNode(commandFile("@biomejs/biome", "bin/biome"), [
      ...["check", "--error-on-warnings", "--no-errors-on-unmatched"],
      ...paths,
    ])) === 0,
  remedy: "npm run format corrects the format",
});

export const checks: readonly Check[] = [types, lint(["."])];

// npm run check: types, lint, format and import rules, without the tests.
if (import.meta.main) {
  commandLine("check");
  let failed = 0;
  for (const check of checks) {
    const passed = await check.run();
    if (!passed) failed += 1;
    const remedy = check.remedy === undefined ? "" : ` (${check.remedy})`;
    console.log(`${check.name}: ${passed ? "passed" : `failed${remedy}`}`);
  }
  process.exit(failed === 0 ? 0 : 1);
}
