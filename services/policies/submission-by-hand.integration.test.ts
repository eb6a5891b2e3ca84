import { expect, it, vi } from "vitest";
import { queuesOf } from "../../testing/domain/order-fixture.ts";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndSubmit } from "../../testing/system/orders-fixture.ts";
import { hasty, openTestSystem, type TestSystem } from "../../testing/system/test-system.ts";
import { recordManualSubmission } from "../orders/submission/submit-order.ts";
import { noAutomation } from "../providers/gro/automation.ts";

const day = 86_400;

const seePhase = (system: TestSystem, orderId: string, phase: string) =>
  vi.waitFor(async () => expect((await system.order(orderId)).phase).toBe(phase), soon);
const seeTasks = (system: TestSystem, orderId: string, names: readonly string[]) =>
  vi.waitFor(async () => expect(await system.tasksOf(orderId)).toEqual(names), soon);

it("an order waits for staff indefinitely, and is purged once they have submitted it", async () => {
  await using system = await openTestSystem();
  await system.begin({ automation: noAutomation, settings: { ...hasty, submissionByHand: true } });
  const { orderId } = await placeAndSubmit(system.deps);
  await seePhase(system, orderId, "Confirmed");
  await seeTasks(system, orderId, []);
  system.skip(10 * day);
  const now = system.deps.now().toISOString();
  expect(queuesOf(await system.order(orderId), now)).toEqual(["notSubmitted"]);
  await recordManualSubmission(
    system.deps,
    orderId,
    { groOrderReference: "COL-1", submittedAt: now },
    { by: { userId: "user_1" }, reason: "groWebsite", correlationId: "a-request" },
  );
  await vi.waitFor(
    async () => expect(await system.eventTypes(orderId)).toContain("SensitiveDataPurged"),
    soon,
  );
  expect(queuesOf(await system.order(orderId), now)).not.toContain("notSubmitted");
  expect(system.logLines.filter((line) => line.includes("a task failed"))).toEqual([]);
});

it("waiting orders are sent within a day once there is a service, and left to staff until then", async () => {
  await using system = await openTestSystem();
  let submissionByHand = true;
  const settings = {
    ...hasty,
    get submissionByHand() {
      return submissionByHand;
    },
  };
  await system.begin({ settings });
  const { orderId } = await placeAndSubmit(system.deps);
  await seePhase(system, orderId, "Confirmed");
  await seeTasks(system, orderId, []);
  expect([system.around.automation.sent, system.around.automation.asked]).toEqual([[], []]);
  submissionByHand = false;
  system.skip(day + 60);
  await seePhase(system, orderId, "Submitted");
  expect(system.around.automation.sent).toHaveLength(1);
});
