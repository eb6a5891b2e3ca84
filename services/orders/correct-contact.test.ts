import { describe, expect, test } from "vitest";
import { contactRecord } from "../../domain/forms/sealed-records.ts";
import { mostOfOrder } from "../../domain/order/rules.ts";
import { CommandReused } from "../../infra/commands/repeats.ts";
import {
  paidOrder,
  purge,
  question,
  recordConfirmation,
  startAttempt,
  submit,
} from "../../testing/services/paid-order-fixture.ts";
import { customer, pricedOrder, type TestDesk, testDesk } from "../../testing/services/use-case-fixture.ts";
import { type ContactChange, correctContact } from "./correct-contact.ts";

const key = { scope: "contact of the order", key: "0f1e2d3c-0000-4000-8000-000000000002" };
const elsewhere = {
  Address1: "2 Stryd Fawr",
  Address2: "",
  Town: "Bangor",
  County: "Gwynedd",
  Country: "United Kingdom",
  PostCode: "LL57 1AA",
};

const correct = (desk: TestDesk, orderId: string, change: ContactChange, by?: typeof key) =>
  correctContact(desk, orderId, change, by, customer);
const typesOf = async (desk: TestDesk, orderId: string) =>
  (await desk.events(orderId)).map(({ type }) => type);

async function contactOf(desk: TestDesk, orderId: string) {
  const { order } = await desk.orders.load(orderId);
  return desk.vault.open(order.vault.contact ?? "", contactRecord);
}

const { byCustomer: most } = mostOfOrder.ContactCorrected;

describe("Correcting who is written to", () => {
  test("changes what was given and keeps the rest", async () => {
    const desk = testDesk();
    const orderId = await pricedOrder(desk);
    const before = await contactOf(desk, orderId);
    const old = (await desk.orders.load(orderId)).order.vault.contact;
    const { order } = await correct(desk, orderId, { email: "sian@post.example" });
    expect(await contactOf(desk, orderId)).toEqual({ ...before, email: "sian@post.example" });
    expect(order.vault.superseded).toMatchObject([{ ref: old, dataClass: "contact" }]);
    expect(JSON.stringify(await desk.events(orderId))).not.toContain("sian@post.example");
  });

  test("sends the confirmation again, to the new address", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    await recordConfirmation(desk, orderId, "undeliverable");
    const { order } = await correct(desk, orderId, { email: "sian@post.example" });
    expect(order.confirmation.state).toBe("owed");
    expect(order.mails.owed).toMatchObject([{ template: "confirmation" }]);
  });

  test("to what it is already does nothing, unless the confirmation did not arrive there", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    const { email } = await contactOf(desk, orderId);
    const before = await typesOf(desk, orderId);
    await correct(desk, orderId, { email });
    expect(await typesOf(desk, orderId)).toEqual(before);
    await recordConfirmation(desk, orderId, "undeliverable");
    await correct(desk, orderId, { email });
    expect((await typesOf(desk, orderId)).at(-1)).toBe("ContactCorrected");
  });

  test("again with its key gives the first result, and with another body is refused", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    const first = await correct(desk, orderId, { email: "sian@post.example" }, key);
    await correct(desk, orderId, { email: "rhys@post.example" });
    const records = desk.vault.records.size;
    const again = await correct(desk, orderId, { email: "sian@post.example" }, key);
    expect(again.position).toBe(first.position);
    expect(desk.vault.records.size).toBe(records);
    await expect(correct(desk, orderId, { email: "other@post.example" }, key)).rejects.toThrow(CommandReused);
    expect((await contactOf(desk, orderId)).email).toBe("rhys@post.example");
  });

  test("moves the postal address while nothing was sent, and while the GRO has a question", async () => {
    const desk = testDesk();
    const unpaid = await pricedOrder(desk);
    await correct(desk, unpaid, { contactAddress: elsewhere });
    expect((await contactOf(desk, unpaid)).contactAddress).toEqual(elsewhere);
    const asked = await paidOrder(desk);
    await submit(desk, asked);
    await question(desk, asked);
    await purge(desk, asked);
    await correct(desk, asked, { contactAddress: elsewhere });
    expect((await contactOf(desk, asked)).contactAddress).toEqual(elsewhere);
  });

  test.each([
    ["an attempt is open", "attempt-open", startAttempt],
    ["the GRO has it", "already-submitted", submit],
  ])("leaves name and postal address alone once %s, and seals nothing", async (_, rule, step) => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    await step(desk, orderId);
    const [events, records] = [await typesOf(desk, orderId), desk.vault.records.size];
    for (const change of [{ contactAddress: elsewhere }, { contactFullName: "Ms Siân Rhys" }]) {
      await expect(correct(desk, orderId, change, key)).rejects.toMatchObject({ rule });
    }
    expect(await typesOf(desk, orderId)).toEqual(events);
    expect(desk.vault.records.size).toBe(records);
    await correct(desk, orderId, { email: "sian@post.example" });
    expect((await contactOf(desk, orderId)).email).toBe("sian@post.example");
  });

  test("is refused where the vault has destroyed the record already", async () => {
    const desk = testDesk();
    const orderId = await pricedOrder(desk);
    const records = await desk.vault.recordsOf(orderId, "contact");
    await desk.vault.destroy(records.map(({ recordId }) => recordId));
    await expect(correct(desk, orderId, { email: "sian@post.example" })).rejects.toMatchObject({
      rule: "contact-purged",
    });
  });

  test("ends for customers after so many times, and not for staff", async () => {
    const desk = testDesk();
    const orderId = await pricedOrder(desk);
    for (let nth = 0; nth < most; nth++) await correct(desk, orderId, { email: `sian${nth}@post.example` });
    const change = { email: "once.more@post.example" };
    await expect(correct(desk, orderId, change)).rejects.toMatchObject({ rule: "too-many-corrections" });
    const staff = { ...customer, actor: { kind: "staff", id: "user_1" } } as const;
    await correctContact(desk, orderId, change, undefined, staff);
    expect((await contactOf(desk, orderId)).email).toBe(change.email);
  });

  test("eighty times at once corrects as often as a customer may, and leaves no record of the others", async () => {
    const desk = testDesk();
    const orderId = await pricedOrder(desk);
    const before = desk.vault.records.size;
    const answers = await Promise.allSettled(
      Array.from({ length: 80 }, (_, nth) => correct(desk, orderId, { email: `sian${nth}@post.example` })),
    );
    const corrected = (await typesOf(desk, orderId)).filter((type) => type === "ContactCorrected");
    expect(corrected).toHaveLength(most);
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(most);
    expect(desk.vault.records.size).toBe(before + most);
  });

  test("moves no postal address for a GRO that was sent the application meanwhile", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    const before = await contactOf(desk, orderId);
    const { seal } = desk.vault;
    desk.vault.seal = async (record) => {
      if (record.kind === "contact") await startAttempt(desk, orderId);
      return seal(record);
    };
    await expect(correct(desk, orderId, { contactAddress: elsewhere })).rejects.toMatchObject({
      rule: "attempt-open",
    });
    expect(await contactOf(desk, orderId)).toEqual(before);
  });
});
