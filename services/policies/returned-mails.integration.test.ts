import { expect, it, vi } from "vitest";
import { customer } from "../../testing/services/use-case-fixture.ts";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndSubmit } from "../../testing/system/orders-fixture.ts";
import { followForAnHour, openTestSystem } from "../../testing/system/test-system.ts";
import { recordBounce } from "../correspondence/record-bounce.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { correctContact } from "../orders/correct-contact.ts";

const by = { actor: { kind: "provider", id: "mail" }, correlationId: "a-mail" } as const;

it("Once a mail came back for good, none leaves until the address is corrected", async () => {
  await using system = await openTestSystem();
  const { automation, mailer } = system.around;
  // Keeps the order where it can be cancelled.
  automation.mood = "down";
  const { orderId } = await placeAndSubmit(system.deps);
  const before = await system.begin();
  await vi.waitFor(async () => expect((await system.order(orderId)).confirmation.state).toBe("sent"), soon);
  await before.stop();
  const { first = "" } = (await system.order(orderId)).confirmation;
  await recordBounce(system.deps, {
    ...{ subject: { kind: "order", id: orderId }, mail: { template: "confirmation", about: first } },
    ...{ kind: "hard", code: "5.1.1", commandId: "mail-1", by },
  });
  await cancelOrder(system.deps, orderId, "customerRequest", customer);
  const leftBefore = mailer.sent.length;
  await followForAnHour(system);
  system.skip(30 * 86_400);
  await followForAnHour(system);
  expect(mailer.sent).toHaveLength(leftBefore);
  expect((await system.tasksOf(orderId)).filter((name) => name.startsWith("mail-"))).toEqual([]);

  await correctContact(system.deps, orderId, { email: "another@post.example" }, undefined, customer);
  await system.begin();
  await vi.waitFor(async () => expect((await system.order(orderId)).mails.owed).toEqual([]), soon);
  const left = mailer.sent.slice(leftBefore);
  expect(left.map(({ to }) => to)).toContain("another@post.example");
  expect(left.map(({ subject }) => subject)).toContain("cancelled");
});
