import { expect, it } from "vitest";
import { newMachine, VirtualTime } from "./virtual-time.ts";

it.each([
  { first: 10, second: 20 },
  { first: 20, second: 10 },
])("holds up a machine until $first s and $second s are both over", async ({ first, second }) => {
  const time = new VirtualTime(0);
  const machine = newMachine("one");
  let wentOnAtMs: number | undefined;
  time.pause(machine, first * 1_000, false);
  time.at(5_000, () => time.pause(machine, second * 1_000, false));
  time.on(machine, machine.life, () => (wentOnAtMs = time.nowMs));
  await time.runUntil(30_000);
  expect(wentOnAtMs).toBe(20_000);
});
