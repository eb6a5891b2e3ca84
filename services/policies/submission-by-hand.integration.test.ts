import { expect, it, vi } from "vitest";
import { queuesOf } from "../../domain/order/staff/work-queues.ts";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndSubmit } from "../../testing/system/orders-fixture.ts";
import { type House, hasty, openHouse } from "../../testing/system/test-system.ts";
import { recordManualSubmission } from "../orders/staff/record-manual-submission.ts";
import { nobodySubmits } from "../orders/submission/by-hand.ts";

const day = 86_400;

const seePhase = (house: House, orderId: string, phase: string) =>
  vi.waitFor(async () => expect((await house.order(orderId)).phase).toBe(phase), soon);
const seeDuties = (house: House, orderId: string, names: readonly string[]) =>
  vi.waitFor(async () => {
    const { rows } = await house.pool.query("select name from duties where subject_id = $1", [orderId]);
    expect(rows).toEqual(names.map((name) => ({ name })));
  }, soon);

it("an order waits for staff indefinitely, and is purged once they have submitted it", async () => {
  await using house = await openHouse();
  await house.begin({ automation: nobodySubmits, settings: { ...hasty, submissionByHand: true } });
  const { orderId } = await placeAndSubmit(house.desk);
  await seePhase(house, orderId, "Confirmed");
  await seeDuties(house, orderId, []);
  house.skip(10 * day);
  const now = house.desk.now().toISOString();
  expect(queuesOf(await house.order(orderId), now)).toEqual(["notSubmitted"]);
  await recordManualSubmission(
    house.desk,
    orderId,
    { groOrderReference: "COL-1", submittedAt: now },
    { by: { userId: "user_1" }, reason: "groWebsite", correlationId: "a-request" },
  );
  await vi.waitFor(
    async () => expect(await house.eventTypes(orderId)).toContain("SensitiveDataPurged"),
    soon,
  );
  expect(queuesOf(await house.order(orderId), now)).not.toContain("notSubmitted");
  expect(house.logLines.filter((line) => line.includes("a task failed"))).toEqual([]);
});

it("waiting orders are sent within a day once there is a service, and left to staff until then", async () => {
  await using house = await openHouse();
  let submissionByHand = true;
  const settings = {
    ...hasty,
    get submissionByHand() {
      return submissionByHand;
    },
  };
  await house.begin({ settings });
  const { orderId } = await placeAndSubmit(house.desk);
  await seePhase(house, orderId, "Confirmed");
  await seeDuties(house, orderId, []);
  expect([house.around.automation.sent, house.around.automation.asked]).toEqual([[], []]);
  submissionByHand = false;
  house.skip(day + 60);
  await seePhase(house, orderId, "Submitted");
  expect(house.around.automation.sent).toHaveLength(1);
});
