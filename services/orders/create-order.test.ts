import { describe, expect, test } from "vitest";
import { Refused } from "../../domain/decider.ts";
import { contactRecord } from "../../domain/forms/sealed-records.ts";
import { CommandReused } from "../../infra/commands/repeats.ts";
import { Crash, failingAppends, orderRequest, testDesk } from "../../testing/services/use-case-fixture.ts";
import { createOrder } from "./create-order.ts";

const key = { scope: "open-order", key: "0f1e2d3c-0000-4000-8000-000000000000" };
const other = orderRequest({ email: "other@post.example" });

describe("Opening an order", () => {
  test("seals before it appends: the event names records that can be opened", async () => {
    const desk = testDesk();
    const { order } = await createOrder(desk, orderRequest(), key, "a-request");
    const contact = await desk.vault.open(order.vault.contact ?? "", contactRecord);
    expect(contact.contactFullName).toBe("Mrs Siân Rhys");
    expect(order.vault.signature).not.toBeNull();
  });

  test("again with its key gives the same order, also to another process of the installation", async () => {
    const desk = testDesk();
    const first = await createOrder(desk, orderRequest(), key, "a-request");
    const again = await createOrder({ ...desk }, orderRequest(), key, "another-request");
    expect(again.order).toEqual(first.order);
    expect(again.position).toBe(first.position);
    expect(await desk.events(first.order.orderId)).toHaveLength(1);
  });

  test("again with its key and another body is refused", async () => {
    const desk = testDesk();
    await createOrder(desk, orderRequest(), key, "a-request");
    await expect(createOrder(desk, other, key, "a-request")).rejects.toThrow(CommandReused);
  });

  test("after a crash before appending takes another body, and the event names a record that holds it", async () => {
    let broken = true;
    const desk = testDesk(failingAppends(() => broken));
    await expect(createOrder(desk, orderRequest(), key, "a-request")).rejects.toThrow(Crash);
    expect([...desk.vault.records.values()].filter(({ kind }) => kind === "contact")).toHaveLength(1);
    broken = false;
    const { order } = await createOrder(desk, other, key, "a-request");
    const contact = await desk.vault.open(order.vault.contact ?? "", contactRecord);
    expect(contact.email).toBe("other@post.example");
  });

  test("after a crash and the sweep names a record that can be opened, not the one that was destroyed", async () => {
    let broken = true;
    const desk = testDesk(failingAppends(() => broken));
    await expect(createOrder(desk, orderRequest(), key, "a-request")).rejects.toThrow(Crash);
    const orphans = [...desk.vault.records.values()].filter(({ kind }) => kind !== "fingerprintKey");
    await desk.vault.destroy(orphans.map(({ recordId }) => recordId));
    broken = false;
    const { order } = await createOrder(desk, orderRequest(), key, "a-request");
    expect((await desk.vault.open(order.vault.contact ?? "", contactRecord)).email).toBe(
      "sian.rhys@post.example",
    );
  });

  test("with the key of an order that was purged answers the first result and keeps nothing new", async () => {
    const desk = testDesk();
    const first = await createOrder(desk, orderRequest(), key, "a-request");
    await desk.vault.destroy([...desk.vault.records.keys()]);
    const again = await createOrder(desk, other, key, "a-request");
    expect(again.position).toBe(first.position);
    expect([...desk.vault.records.keys()]).toEqual([]);
  });

  test("with a key whose traces were destroyed before an order came to be is refused", async () => {
    let broken = true;
    const desk = testDesk(failingAppends(() => broken));
    await expect(createOrder(desk, orderRequest(), key, "a-request")).rejects.toThrow(Crash);
    await desk.vault.destroy([...desk.vault.records.keys()]);
    broken = false;
    await expect(createOrder(desk, orderRequest(), key, "a-request")).rejects.toThrow(CommandReused);
  });

  test("without a key needs no fingerprint, and keeps no key to compare by", async () => {
    const desk = testDesk();
    await createOrder(desk, orderRequest(), undefined, "a-request");
    expect([...desk.vault.records.values()].map(({ kind }) => kind).sort()).toEqual(["contact", "signature"]);
  });

  test("that no choice costs is refused with the unit prices", async () => {
    const desk = testDesk();
    const attempt = createOrder(desk, orderRequest({ totalAmount: 44 }), key, "a-request");
    await expect(attempt).rejects.toThrow(Refused);
    await expect(attempt).rejects.toMatchObject({ details: { standardPence: 4500, priorityPence: 7500 } });
  });
});
