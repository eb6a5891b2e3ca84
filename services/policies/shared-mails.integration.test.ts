import { expect, it, vi } from "vitest";
import { soon } from "../../testing/setup/patience.ts";
import { submitTogether } from "../../testing/system/orders-fixture.ts";
import { openTestSystem, type TestSystem } from "../../testing/system/test-system.ts";

/** How many orders each mail of a template tells of. */
const toldIn = ({ around: { mailer } }: TestSystem, template: string): number[] =>
  mailer.sent.filter(({ subject }) => subject === template).map(({ text }) => text.split("\n").length);

it("the same event of five orders with one payment is one mail, by whichever of two workers", async () => {
  await using system = await openTestSystem();
  await system.begin();
  await system.begin();
  const orderIds = await submitTogether(system.deps, [{}, {}, {}, {}, {}]);
  for (const orderId of orderIds)
    await vi.waitFor(
      async () => expect(await system.eventTypes(orderId)).toContain("SensitiveDataPurged"),
      soon,
    );
  expect(toldIn(system, "confirmation")).toEqual([5]);
  expect(toldIn(system, "submitted")).toEqual([]);
  system.skip(61);
  for (const orderId of orderIds)
    await vi.waitFor(async () => expect((await system.order(orderId)).mails.owed).toEqual([]), soon);
  for (const template of ["confirmation", "submitted", "dataDeleted"])
    expect(toldIn(system, template), template).toEqual([5]);
});
