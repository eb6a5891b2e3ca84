import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { buildWebWhenChanged } from "./build-web.ts";
import { findChromium } from "./find-chromium.ts";
import { checks, commandFile, runNode } from "./steps.ts";

// npm test: types, lint and borders, then every test. The last line counts them all.

const report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});

type Count = { passed: number; failed: number };

async function runTests(projects: readonly string[], extra: readonly string[]): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), "certificates-report-"));
  const file = join(folder, "report.json");
  try {
    const code = await runNode(commandFile("vitest", "vitest.mjs"), [
      "run",
      ...projects.map((project) => `--project=${project}`),
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${file}`,
      // A filter for one kind of tests finds none of the other.
      ...(extra.length > 0 ? ["--passWithNoTests"] : []),
      ...extra,
    ]);
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = report.parse(
      JSON.parse(readFileSync(file, "utf8")),
    );
    // A file that fails before its first test counts as one failure, a skipped test as another.
    const brokenFiles = testResults.filter(
      (result) => result.status === "failed" && result.assertionResults.length === 0,
    ).length;
    // What a filter leaves out is not skipped.
    const skipped = extra.some((word) => word.startsWith("-t")) ? 0 : numPendingTests;
    const failed = numFailedTests + skipped + brokenFiles;
    return { passed: numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const extra = process.argv.slice(2);
const counts: Count[] = [];
for (const check of checks) {
  const passed = await check.run();
  console.log(`${check.name}: ${passed ? "passed" : "failed"}`);
  counts.push(passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
}
const tests = [await runTests(["unit", "integration"], extra)];
if (findChromium()) {
  await buildWebWhenChanged();
  tests.push(await runTests(["browser"], extra));
} else {
  console.log(
    "No Chromium was found, so the browser tests did not run. Install it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH to one.",
  );
}
if (tests.every((count) => count.passed + count.failed === 0)) {
  console.log(`No test fits ${extra.join(" ")}.`);
  tests.push({ passed: 0, failed: 1 });
}
counts.push(...tests);
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
