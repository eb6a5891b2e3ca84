import { expect, test } from "vitest";
import { patienceMs } from "../../testing/setup/patience.ts";
import { faultsOf } from "../faults/planted.ts";
import { disturb } from "./network.ts";

/** The same in every run: what fails fails again. */
const seed = 20_261_123;

test("Requests are settled, nothing is lost and nothing done twice, whatever the network does", async () => {
  const { findings, ...report } = await disturb({
    ...{ seed, faults: 20, callers: 3 },
    // A busy machine takes longer than 10 s at times; a silent connection to Postgres, 35 s.
    settlesWithinMs: 20_000,
    recoversWithinMs: patienceMs,
    doneWithinMs: 2 * patienceMs,
    // The product waits for minutes after a submission that was not answered.
    spared: /^worker-1 to the sandbox$/,
    breaksDeadAtTheEnd: true,
  });
  expect(findings).toEqual([]);
  expect(Object.values(report.strikes.byKind).reduce((sum, times) => sum + times, 0)).toBe(20);
  expect(report.longestMs).toBeGreaterThan(0);
});

test("The same between the processes and a fake EventStoreDB", async () => {
  const { findings, ...report } = await disturb({
    ...{ seed: seed + 1, faults: 12, callers: 3, withEventStore: true },
    settlesWithinMs: 20_000,
    recoversWithinMs: patienceMs,
    doneWithinMs: 2 * patienceMs,
    spared: / to (?!the event store$)/,
    breaksDeadAtTheEnd: true,
  });
  expect(findings).toEqual([]);
  const links = Object.keys(report.strikes.byLink);
  expect(links.filter((name) => name.endsWith(" to the event store"))).toEqual(links);
  expect(Object.values(report.strikes.byLink).reduce((sum, times) => sum + times, 0)).toBe(12);
});

const plants = faultsOf("network").map((plant) => [plant.words, plant] as const);

test.each(plants)("It is found when %s", async (_, plant) => {
  const { findings } = await disturb({
    ...{ seed, faults: 12, callers: 3, plant },
    settlesWithinMs: 10_000,
    recoversWithinMs: 12_000,
    doneWithinMs: 3_000,
  });
  expect(findings.filter((found) => plant.finding.test(found))).not.toEqual([]);
});
