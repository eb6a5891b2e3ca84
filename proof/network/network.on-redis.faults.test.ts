import { expect, test } from "vitest";
import { patienceMs } from "../../testing/setup/patience.ts";
import { disturb } from "./network.ts";

/** The same in every run: what fails fails again. */
const seed = 20_261_124;

test("Nothing is lost and nothing done twice, whatever happens between the processes and Redis", async () => {
  const { findings, ...report } = await disturb({
    ...{ seed, faults: 20, callers: 3, withRedis: true },
    // A busy machine takes longer than 10 s at times.
    settlesWithinMs: 20_000,
    recoversWithinMs: patienceMs,
    doneWithinMs: 2 * patienceMs,
    spared: / to (?!Redis$)/,
    breaksDeadAtTheEnd: true,
  });
  expect(findings).toEqual([]);
  expect(report.strikes.byLink).toEqual({
    "gateway-1 to Redis": expect.any(Number),
    "gateway-2 to Redis": expect.any(Number),
    "worker-1 to Redis": expect.any(Number),
  });
});
