import { expect, test } from "vitest";
import { patienceMs } from "../../testing/setup/patience.ts";
import { faultsOf } from "../faults/planted.ts";
import { race } from "./races.ts";

/** The same in every run: what fails fails again. */
const seed = 20_261_123;
const short = { seed, orders: 8, callers: 4, submittedWithinMs: patienceMs };

test("A command sent several times at once through two gateways is carried out once", async () => {
  const { findings, ...counts } = await race(short);
  expect(findings).toEqual([]);
  expect(counts).toMatchObject({ orders: 12, changedBodies: 36 });
});

test("The same where the log is in a fake EventStoreDB", async () => {
  const { findings, ...counts } = await race({ ...short, orders: 4, withEventStore: true });
  expect(findings).toEqual([]);
  expect(counts).toMatchObject({ orders: 6, changedBodies: 18 });
});

const plants = faultsOf("races").map(({ words, name, finding }) => [words, name, finding] as const);

test.each(plants)("It is found when %s", async (_, plant, finding) => {
  const { findings } = await race({ ...short, orders: 2, submittedWithinMs: 5_000, plant });
  expect(findings.filter((found) => finding.test(found))).not.toEqual([]);
});
