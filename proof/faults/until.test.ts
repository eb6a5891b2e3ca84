import { expect, it } from "vitest";
import { DrivenClock } from "../../testing/services/driven-clock.ts";
import { until } from "./until.ts";

it("waits for as long as it gets on", async () => {
  const time = new DrivenClock();
  const done = Promise.withResolvers<number>();
  let count = 0;
  void until(
    1_000,
    () => count,
    (answer) => answer === 20,
    time.clock,
  ).then(done.resolve);
  for (let nth = 0; nth < 20; nth += 1) {
    await time.pass(0.9);
    count += 1;
  }
  await time.pass(0.2);
  expect(await done.promise).toBe(20);
});

it("gives up once it no longer does", async () => {
  const time = new DrivenClock();
  let asked = 0;
  const last = until(
    1_000,
    () => Math.min(++asked, 3),
    (answer) => answer === 20,
    time.clock,
  );
  await time.pass(1.7);
  expect(await last).toBe(3);
});
