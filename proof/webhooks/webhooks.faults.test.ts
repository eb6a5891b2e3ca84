import { expect, test } from "vitest";
import { patienceMs } from "../../testing/setup/patience.ts";
import { faultsOf } from "../faults/planted.ts";
import { harass } from "./webhooks.ts";

/** The same in every run: what fails fails again. */
const seed = 20_261_123;
const short = { seed, orders: 12, callers: 4, latestMs: 1_500, submittedWithinMs: patienceMs };

test("Each paid order is paid and submitted once, whatever becomes of its webhooks, and no other", async () => {
  const { findings, ...counts } = await harass(short);
  expect(findings).toEqual([]);
  expect(counts).toMatchObject({ paid: 8, declined: 2, left: 2 });
  expect(counts.copies).toBeGreaterThan(counts.webhooks);
  expect(counts.replays).toBeGreaterThan(0);
  expect(counts.forgeries).toBeGreaterThan(0);
  expect(counts.refunds).toEqual({ assigned: 2, disputed: 1, whole: 1 });
});

const plants = faultsOf("webhooks").map(({ words, name, finding }) => [words, name, finding] as const);

test.each(plants)("It is found when %s", async (_, plant, finding) => {
  const { findings } = await harass({ ...short, submittedWithinMs: 1_000, plant });
  expect(findings.filter((found) => finding.test(found))).not.toEqual([]);
});
