import { expect, test } from "vitest";
import { patienceMs } from "../../testing/setup/patience.ts";
import { faultsOf } from "../faults/planted.ts";
import { killUnderLoad } from "./kills.ts";

/** Twenty kills are as many starts, one after another: on a machine without time to spare, several minutes. */
const longestMs = 15 * patienceMs;
/** The same in every run: what fails fails again. */
const seed = 20_261_123;

test(
  "Nothing acknowledged is lost, and nothing done twice, by kills of any process under load",
  async () => {
    const { findings, ...report } = await killUnderLoad({
      ...{ seed, kills: 20, callers: 3, withRedis: true },
      recoversWithinMs: patienceMs,
      doneWithinMs: 3 * patienceMs,
    });
    expect(findings).toEqual([]);
    expect(Object.values(report.kills).reduce((sum, times) => sum + times, 0)).toBe(20);
    expect(report.underLoad).toBeGreaterThan(0);
  },
  longestMs,
);

test("The same where the log is in a fake EventStoreDB, which is killed as well", {
  timeout: longestMs,
}, async () => {
  const { findings, ...report } = await killUnderLoad({
    ...{ seed: seed + 1, kills: 8, callers: 3, withEventStore: true },
    recoversWithinMs: patienceMs,
    doneWithinMs: 3 * patienceMs,
  });
  expect(findings).toEqual([]);
  expect(report.kills["event store"]).toBeGreaterThan(0);
});

const plants = faultsOf("kills").map((plant) => [plant.words, plant] as const);

test.each(plants)("It is found when %s", async (_, plant) => {
  const { findings } = await killUnderLoad({
    ...{ seed, kills: 8, callers: 3, withRedis: true, plant },
    recoversWithinMs: patienceMs,
    doneWithinMs: 15_000,
  });
  expect(findings.filter((found) => plant.finding.test(found))).not.toEqual([]);
});
