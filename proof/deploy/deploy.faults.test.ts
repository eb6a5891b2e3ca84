import { expect, test } from "vitest";
import { root } from "../../infra/setup/steps.ts";
import { patienceMs } from "../../testing/setup/patience.ts";
import { faultsOf } from "../faults/planted.ts";
import { deployUnderLoad } from "./deploy.ts";

/** The same in every run: what fails fails again. */
const seed = 20_261_128;
/** Of this build over itself: a checkout of another is not everywhere. */
const short = {
  ...{ seed, from: root, turns: 0, callers: 2, commandsBetween: 5 },
  recoversWithinMs: patienceMs,
};

test("Nothing is lost or done twice while each process gives way to another under load", async () => {
  const { findings, ...counts } = await deployUnderLoad({ ...short, doneWithinMs: 3 * patienceMs });
  expect(findings).toEqual([]);
  expect(counts.replaced).toBe(6);
  expect(counts.underLoad).toBeGreaterThan(0);
});

test.each(faultsOf("deploy").map((plant) => [plant.words, plant] as const))(
  "It is found when %s",
  async (_, plant) => {
    const { findings } = await deployUnderLoad({ ...short, doneWithinMs: 15_000, plant });
    expect(findings.filter((found) => plant.finding.test(found))).not.toEqual([]);
  },
);
