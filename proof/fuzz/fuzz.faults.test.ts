import { expect, test } from "vitest";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { fuzz } from "./fuzz.ts";
import { plants } from "./planted.ts";

/** The same in every run: what fails fails again. */
const seed = 20_261_121;
/** Twenty seconds on a machine with nothing else to do. */
const patienceMs = 900_000;

test(
  "No request made from the contract, whole or spoilt, breaks a rule",
  async () => {
    const { findings, statuses, requests } = await fuzz(await testDatabase(), { seed, requests: 600 });
    expect(findings).toEqual([]);
    expect(requests).toBeGreaterThanOrEqual(600);
    // They reach the rules, and not only the guards.
    const expected = ["200", "201", "400", "401", "403", "404", "409", "413", "415", "422"];
    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(expected));
  },
  patienceMs,
);

test.each(plants.map((plant) => [plant.words, plant] as const))("It is found when %s", async (_, plant) => {
  const { findings } = await fuzz(await testDatabase(), { seed, requests: 24, plant });
  expect(findings.filter((finding) => plant.finding.test(finding))).not.toEqual([]);
});
