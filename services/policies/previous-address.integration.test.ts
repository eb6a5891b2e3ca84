import { describe, expect, it, vi } from "vitest";
import { customer } from "../../testing/services/use-case-fixture.ts";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndSubmit } from "../../testing/system/orders-fixture.ts";
import { openTestSystem, type TestSystem } from "../../testing/system/test-system.ts";
import { correctContact } from "../orders/correct-contact.ts";
import type { Mail } from "../providers/smtp/mailer.ts";

const email = "another@post.example";
const secondsKept = 86_400;

const noticesOf = (sent: readonly Mail[]): Mail[] => sent.filter(({ subject }) => subject === "emailChanged");

/** A paid order with a corrected email address; the record of the previous one, and the address itself. */
async function corrected(system: TestSystem): Promise<{ orderId: string; previous: string }> {
  const { orderId } = await placeAndSubmit(system.deps);
  const previous = (await system.order(orderId)).vault.contact ?? "";
  await correctContact(system.deps, orderId, { email }, undefined, customer);
  return { orderId, previous };
}

const isHeld = async ({ deps }: Pick<TestSystem, "deps">, orderId: string, ref: string): Promise<boolean> =>
  (await deps.vault.recordsOf(orderId, "contact")).some(({ recordId }) => recordId === ref);

async function seeDestroyed(system: TestSystem, orderId: string, previous: string): Promise<void> {
  await vi.waitFor(
    async () => expect(await system.eventTypes(orderId)).toContain("ReplacedRecordPurged"),
    soon,
  );
  expect(await isHeld(system, orderId, previous)).toBe(false);
}

describe("A corrected email address", () => {
  it("is told to the previous one in one mail, whose record is destroyed after it", async () => {
    await using system = await openTestSystem();
    const { orderId, previous } = await corrected(system);
    const { mailer } = system.around;
    const { send } = mailer;
    const heldWhenSent: boolean[] = [];
    mailer.send = async (mail) => {
      if (mail.subject === "emailChanged") heldWhenSent.push(await isHeld(system, orderId, previous));
      await send(mail);
    };
    await system.begin();
    await seeDestroyed(system, orderId, previous);
    await vi.waitFor(async () => expect((await system.order(orderId)).mails.owed).toEqual([]), soon);
    expect(heldWhenSent).toEqual([true]);
    const told = new Set(mailer.sent.map(({ to }) => to));
    expect(noticesOf(mailer.sent).map(({ to }) => to)).toEqual([...told].filter((to) => to !== email));
  });

  it("is told after a restart, and not to the new one", async () => {
    await using system = await openTestSystem();
    const { mailer } = system.around;
    mailer.mood = "down";
    const before = await system.begin();
    const { orderId, previous } = await corrected(system);
    await vi.waitFor(
      async () =>
        expect(
          (
            await system.pool.query(
              "select from work where tasks::text like '%mail-emailChanged-%' and retries @? '$.*.tries ? (@ > 0)'",
            )
          ).rowCount,
        ).toBe(1),
      soon,
    );
    await before.stop();
    expect(await isHeld(system, orderId, previous)).toBe(true);
    mailer.mood = "well";
    system.skip(60);
    await system.begin();
    await seeDestroyed(system, orderId, previous);
    expect(noticesOf(mailer.sent).map(({ to }) => to)).toHaveLength(1);
    expect(noticesOf(mailer.sent).map(({ to }) => to)).not.toContain(email);
  });

  it("loses the previous record after a day, though the mail could not be sent", async () => {
    await using system = await openTestSystem();
    const { mailer } = system.around;
    mailer.mood = "down";
    const { orderId, previous } = await corrected(system);
    const before = await system.begin();
    await vi.waitFor(
      async () => expect(await system.tasksOf(orderId)).toContain(`destroy-${previous}`),
      soon,
    );
    system.skip(secondsKept - 60);
    await before.stop();
    expect(await isHeld(system, orderId, previous)).toBe(true);
    system.skip(60);
    await system.begin();
    await seeDestroyed(system, orderId, previous);
    mailer.mood = "well";
    system.skip(300);
    await vi.waitFor(async () => expect((await system.order(orderId)).mails.owed).toEqual([]), soon);
    expect(mailer.sent.map(({ to }) => to)).toContain(email);
    expect(noticesOf(mailer.sent)).toEqual([]);
  });
});
