import { commandLine } from "./command-line.ts";
import { commandFile, runNode } from "./steps.ts";

/** Types, and lint with format and import rules. Each resolves to whether it passed. */
export const checks: readonly { name: string; run: () => Promise<boolean>; remedy?: string }[] = [
  {
    name: "types",
    run: async () => (await runNode(commandFile("typescript", "bin/tsc"), ["-p", "."])) === 0,
  },
  {
    name: "lint",
    run: async () =>
      (await runNode(commandFile("@biomejs/biome", "bin/biome"), ["check", "--error-on-warnings", "."])) ===
      0,
    remedy: "npm run format corrects the format",
  },
];

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
