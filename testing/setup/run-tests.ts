import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { z } from "zod";
import { checks } from "../../infra/setup/check.ts";
import { commandLine } from "../../infra/setup/command-line.ts";
import { commandFile, root, runNode } from "../../infra/setup/steps.ts";
import { provideChromium, provideGo, provideMailServers, provideRedis } from "./provide-programs.ts";
import { makeRunFolder } from "./run-folder.ts";
import { lastDurations, listedFiles, tooSlow } from "./slow-files.ts";

// npm test: types and lint, then every test that this machine can run but the proofs under faults, which
// npm run test:faults runs. What this machine cannot run is listed at the end, and counts as failed only with
// --require-everything. The last line counts all.

const report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

type FileResult = z.infer<typeof report>["testResults"][number];
type Count = { passed: number; failed: number };

/** A line for each failure, with its message: shown again at the end, where a record that keeps only the end has it. */
const failures: string[] = [];

const typed = process.argv.slice(2);
const underFaults = typed[0] === "--faults";
const { options, passedOn: extra } = underFaults
  ? commandLine("test:faults", typed.slice(1))
  : commandLine("test", typed);
const demanding = options["require-everything"];
/** Tests skipped on a machine without Redis. */
const testsOnRedis = "**/*.on-redis.*.test.ts";
/** Tests skipped on a machine without Postfix and Dovecot. */
const testsOnMailServers = "**/*.on-mail-servers.*.test.ts";
/** Tests skipped on a machine without Go. */
const testsOnGo = "**/*.on-go.integration.test.ts";

/** As much of a failure's message as tells one cause from another. */
function firstLines(message: string): string {
  return message
    .split("\n")
    .slice(0, 60)
    .map((line) => `    ${line}`)
    .join("\n");
}

function failuresOf({ name, status, message, assertionResults }: FileResult): string[] {
  const file = relative(process.cwd(), name);
  const failed = assertionResults.filter((result) => result.status === "failed");
  // Nothing ran, or what comes before all tests failed and they were skipped.
  if (failed.length === 0) return status === "failed" ? [`${file}\n${firstLines(message)}`] : [];
  return failed.map(
    ({ fullName, failureMessages }) =>
      `${file} > ${fullName}\n${firstLines(failureMessages?.join("\n") ?? "")}`,
  );
}

/** A sentence for each file that took too long. Proofs under faults may, and of some files alone the pace is not known. */
function tooSlowOf(results: readonly FileResult[]): string[] {
  if (underFaults || extra.length > 0) return [];
  const ran = new Set(results.map(({ name }) => relative(root, name)));
  const took = Object.fromEntries(Object.entries(lastDurations()).filter(([file]) => ran.has(file)));
  return tooSlow(took, listedFiles(readFileSync(join(root, "testing", "README.md"), "utf8")));
}

/**
 * All temporary files go to one folder, which is removed: a killed process cannot remove its own. A run whose tests pass
 * fails when one of them leaves a folder there.
 */
async function runTests(...projects: readonly string[]): Promise<Count> {
  const folder = makeRunFolder();
  // Postgres, which does not run as root, reaches its folder through this one.
  chmodSync(folder, 0o711);
  const file = join(folder, "report.json");
  try {
    const options = [
      "--reporter=./testing/setup/progress.ts",
      "--reporter=json",
      `--outputFile.json=${file}`,
      // A filter for one project may match no tests of another.
      ...(extra.length > 0 ? ["--passWithNoTests"] : []),
      ...extra,
    ];
    const code = await runNode(commandFile("vitest", "vitest.mjs"), ["run", ...projects, ...options], {
      TMPDIR: folder,
      // Each product that a test starts loads the same modules.
      NODE_COMPILE_CACHE: join(folder, "compiled"),
    });
    // A global set-up failed before the first test, and has reported it.
    if (!existsSync(file)) return { passed: 0, failed: 1 };
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = report.parse(
      JSON.parse(readFileSync(file, "utf8")),
    );
    // A file that fails before its first test counts as a failure, a skipped test as another.
    const brokenFiles = testResults.filter(
      (result) => result.status === "failed" && result.assertionResults.length === 0,
    );
    const slow = tooSlowOf(testResults);
    failures.push(...testResults.flatMap(failuresOf), ...slow);
    // Tests excluded by a filter are not skipped.
    const skipped = extra.some((word) => word.startsWith("-t")) ? 0 : numPendingTests;
    const failed = numFailedTests + skipped + brokenFiles.length + slow.length;
    if (failed > 0) return { passed: numPassedTests, failed };
    const leftBehind = readdirSync(folder).filter((name) => name.startsWith("certificates-"));
    if (leftBehind.length > 0) failures.push(`Folders left behind: ${leftBehind.join(", ")}`);
    return { passed: numPassedTests, failed: code !== 0 || leftBehind.length > 0 ? 1 : 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const counts: Count[] = [];
await Promise.all(
  (underFaults ? [] : checks).map(async ({ name, run }) => {
    const passed = await run();
    console.log(`${name}: ${passed ? "passed" : "failed"}`);
    counts.push(passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
  }),
);
const noRedis = await provideRedis();
const noMailServers = provideMailServers();
const [noChromium, noGo] = underFaults ? [] : [await provideChromium(), provideGo()];
const without = [
  ...(noRedis === undefined ? [] : [`--exclude=${testsOnRedis}`]),
  ...(noMailServers === undefined ? [] : [`--exclude=${testsOnMailServers}`]),
  ...(noGo === undefined ? [] : [`--exclude=${testsOnGo}`]),
];
const inBrowser = noChromium === undefined ? ["browser"] : [];
const projects = underFaults ? ["faults"] : ["unit", "integration", ...inBrowser];
const tests = await runTests(...projects.map((name) => `--project=${name}`), ...without);
counts.push(tests);
if (tests.passed + tests.failed === 0) {
  console.log(`No test matches ${extra.join(" ")}.`);
  counts.push({ passed: 0, failed: 1 });
}

const left = [
  ...(noRedis === undefined ? [] : [`The tests on Redis did not run: ${noRedis}.`]),
  ...(noMailServers === undefined ? [] : [`The tests on mail servers did not run: ${noMailServers}.`]),
  ...(noChromium === undefined ? [] : [`The browser tests did not run: ${noChromium}.`]),
  ...(noGo === undefined ? [] : [`The tests against Go did not run: ${noGo}.`]),
];
for (const sentence of left) console.log(sentence);
if (failures.length > 0) console.log(`\nFailed:\n${failures.join("\n")}\n`);
if (demanding) counts.push({ passed: 0, failed: left.length });
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
