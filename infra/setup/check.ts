import { checks } from "./steps.ts";

// npm run check: types, lint, format and import rules, without the tests.
let failed = 0;
for (const check of checks) {
  const passed = await check.run();
  if (!passed) failed += 1;
  const remedy = check.remedy === undefined ? "" : ` (${check.remedy})`;
  console.log(`${check.name}: ${passed ? "passed" : `failed${remedy}`}`);
}
process.exit(failed === 0 ? 0 : 1);
