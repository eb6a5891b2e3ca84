import { describe, expect, test } from "vitest";
import { z } from "zod";
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
import {
  beforeSealing,
  customer,
  pricedOrder,
  type TestDependencies,
  testDependencies,
} from "../../testing/services/use-case-fixture.ts";
import { RecordNewer } from "../vault/vault.ts";
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

const recipient = { fullName: "Mair Evans", address: elsewhere };

const correct = (deps: TestDependencies, orderId: string, change: ContactChange, by?: typeof key) =>
  correctContact(deps, orderId, change, by, customer);
const typesOf = async (deps: TestDependencies, orderId: string) =>
  (await deps.events(orderId)).map(({ type }) => type);

async function contactOf(deps: TestDependencies, orderId: string) {
  const { order } = await deps.orders.load(orderId);
  return deps.vault.open(order.vault.contact ?? "", contactRecord);
}

const { byCustomer: most } = mostOfOrder.ContactCorrected;

describe("Correcting who is written to", () => {
  test("changes what was given and keeps the rest", async () => {
    const deps = testDependencies();
    const orderId = await pricedOrder(deps);
    const before = await contactOf(deps, orderId);
    const old = (await deps.orders.load(orderId)).order.vault.contact;
    const { order } = await correct(deps, orderId, { email: "sian@post.example" });
    expect(await contactOf(deps, orderId)).toEqual({ ...before, email: "sian@post.example" });
    expect(order.vault.superseded).toMatchObject([{ ref: old, dataClass: "contact" }]);
    expect(JSON.stringify(await deps.events(orderId))).not.toContain("sian@post.example");
  });

  test("leaves alone a record with fields of a newer build: without them it would be another", async () => {
    const deps = testDependencies();
    const orderId = await pricedOrder(deps);
    const { open } = deps.vault;
    const asNewer: typeof open = async (recordId, schema) => {
      const body = await open(recordId, z.record(z.string(), z.json()));
      return schema.parse({ ...body, signedFor: true });
    };
    const newer = { ...deps, vault: { ...deps.vault, open: asNewer } };
    await expect(correct(newer, orderId, { email: "sian@post.example" })).rejects.toThrow(RecordNewer);
    await correct(deps, orderId, { email: "sian@post.example" });
  });

  test("sends the confirmation again, to the new address", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    await recordConfirmation(deps, orderId, "refused");
    const { order } = await correct(deps, orderId, { email: "sian@post.example" });
    expect(order.confirmation.state).toBe("owed");
    expect(order.mails.owed).toMatchObject([{ template: "confirmation" }, { template: "emailChanged" }]);
  });

  test("records whether the email address is another, in which capitals do not matter", async () => {
    const deps = testDependencies();
    const orderId = await pricedOrder(deps);
    const { email } = await contactOf(deps, orderId);
    await correct(deps, orderId, { email: "another@post.example" });
    await correct(deps, orderId, { email: "Another@post.example" });
    await correct(deps, orderId, { contactPhone: { Daytime: "01632960002", Evening: "" } });
    await correct(deps, orderId, { email });
    const corrections = (await deps.events(orderId)).flatMap((event) =>
      event.type === "ContactCorrected" ? [event.data] : [],
    );
    expect(corrections).toMatchObject([true, false, false, true].map((emailChanged) => ({ emailChanged })));
  });

  test("to what it is already does nothing, unless the confirmation did not arrive there", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    const { email } = await contactOf(deps, orderId);
    const before = await typesOf(deps, orderId);
    await correct(deps, orderId, { email });
    expect(await typesOf(deps, orderId)).toEqual(before);
    await recordConfirmation(deps, orderId, "refused");
    await correct(deps, orderId, { email });
    expect((await typesOf(deps, orderId)).at(-1)).toBe("ContactCorrected");
  });

  test("again with its key gives the first result, and with another body is refused", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    const first = await correct(deps, orderId, { email: "sian@post.example" }, key);
    await correct(deps, orderId, { email: "rhys@post.example" });
    const records = deps.vault.records.size;
    const again = await correct(deps, orderId, { email: "sian@post.example" }, key);
    expect(again.position).toBe(first.position);
    expect(deps.vault.records.size).toBe(records);
    await expect(correct(deps, orderId, { email: "other@post.example" }, key)).rejects.toThrow(CommandReused);
    expect((await contactOf(deps, orderId)).email).toBe("rhys@post.example");
  });

  test("moves the postal address while nothing was sent, and while the GRO has a question", async () => {
    const deps = testDependencies();
    const unpaid = await pricedOrder(deps);
    await correct(deps, unpaid, { contactAddress: elsewhere });
    expect((await contactOf(deps, unpaid)).contactAddress).toEqual(elsewhere);
    const asked = await paidOrder(deps);
    await submit(deps, asked);
    await question(deps, asked);
    await purge(deps, asked);
    await correct(deps, asked, { contactAddress: elsewhere });
    expect((await contactOf(deps, asked)).contactAddress).toEqual(elsewhere);
  });

  test.each([
    ["an attempt is open", "attempt-open", startAttempt],
    ["the GRO has it", "already-submitted", submit],
  ])("leaves name and postal address alone once %s, and seals nothing", async (_, rule, step) => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    await step(deps, orderId);
    const [events, records] = [await typesOf(deps, orderId), deps.vault.records.size];
    for (const change of [{ contactAddress: elsewhere }, { contactFullName: "Ms Siân Rhys" }]) {
      await expect(correct(deps, orderId, change, key)).rejects.toMatchObject({ rule });
    }
    expect(await typesOf(deps, orderId)).toEqual(events);
    expect(deps.vault.records.size).toBe(records);
    await correct(deps, orderId, { email: "sian@post.example" });
    expect((await contactOf(deps, orderId)).email).toBe("sian@post.example");
  });

  test("tells the last name apart while the full name ends with it", async () => {
    const deps = testDependencies();
    const orderId = await pricedOrder(deps);
    const name = { contactFullName: "Ms Mary Ann van der Berg", contactLastName: "van der Berg" };
    await correct(deps, orderId, name);
    await correct(deps, orderId, { email: "mary@post.example" });
    expect(await contactOf(deps, orderId)).toMatchObject(name);
    await correct(deps, orderId, { contactFullName: "Mrs Marian van der Berg" });
    expect(await contactOf(deps, orderId)).toHaveProperty("contactLastName", "van der Berg");
    await correct(deps, orderId, { contactFullName: "Mrs Marian van der Berg", contactLastName: "Berg" });
    expect(await contactOf(deps, orderId)).toHaveProperty("contactLastName", "Berg");
    await correct(deps, orderId, { contactFullName: "Ms Mary Ann Jones" });
    expect(await contactOf(deps, orderId)).not.toHaveProperty("contactLastName");
  });

  test("gives, changes and takes away recipient and reference, and keeps both otherwise", async () => {
    const deps = testDependencies();
    const orderId = await pricedOrder(deps);
    const before = await contactOf(deps, orderId);
    await correct(deps, orderId, { recipient, customerReference: "SMITH/42" });
    await correct(deps, orderId, { email: "sian@post.example" });
    const given = { ...before, email: "sian@post.example", recipient, customerReference: "SMITH/42" };
    expect(await contactOf(deps, orderId)).toEqual(given);
    await correct(deps, orderId, { recipient: null, customerReference: "" });
    expect(await contactOf(deps, orderId)).toEqual({ ...before, email: "sian@post.example" });
    expect(JSON.stringify(await deps.events(orderId))).not.toMatch(/Mair|SMITH/);
  });

  test("records nothing where none was given and none is", async () => {
    const deps = testDependencies();
    const orderId = await pricedOrder(deps);
    const before = await typesOf(deps, orderId);
    await correct(deps, orderId, { recipient: null, customerReference: "" });
    expect(await typesOf(deps, orderId)).toEqual(before);
  });

  test("leaves the recipient alone once an attempt is open, and changes the reference", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    await correct(deps, orderId, { recipient });
    await startAttempt(deps, orderId);
    for (const change of [{ recipient: null }, { recipient: { ...recipient, fullName: "Mair Rhys" } }]) {
      await expect(correct(deps, orderId, change)).rejects.toMatchObject({ rule: "attempt-open" });
    }
    await correct(deps, orderId, { recipient, customerReference: "SMITH/42" });
    expect(await contactOf(deps, orderId)).toMatchObject({ recipient, customerReference: "SMITH/42" });
  });

  test("changes either phone by itself, and takes away the evening phone", async () => {
    const deps = testDependencies();
    const orderId = await pricedOrder(deps);
    const { contactPhone } = await contactOf(deps, orderId);
    await correct(deps, orderId, { contactPhone: { Evening: "01632960003" } });
    await correct(deps, orderId, { contactPhone: {} });
    const withEvening = { ...contactPhone, Evening: "01632960003" };
    expect((await contactOf(deps, orderId)).contactPhone).toEqual(withEvening);
    await correct(deps, orderId, { contactPhone: { Daytime: "01632960002" } });
    const other = { ...withEvening, Daytime: "01632960002" };
    expect((await contactOf(deps, orderId)).contactPhone).toEqual(other);
    await correct(deps, orderId, { contactPhone: { Evening: "" } });
    expect((await contactOf(deps, orderId)).contactPhone).toEqual({ ...other, Evening: "" });
  });

  test("is refused where the vault has destroyed the record already", async () => {
    const deps = testDependencies();
    const orderId = await pricedOrder(deps);
    const records = await deps.vault.recordsOf(orderId, "contact");
    await deps.vault.destroy(records.map(({ recordId }) => recordId));
    await expect(correct(deps, orderId, { email: "sian@post.example" })).rejects.toMatchObject({
      rule: "contact-purged",
    });
  });

  test("ends for customers after so many times, and not for staff", async () => {
    const deps = testDependencies();
    const orderId = await pricedOrder(deps);
    for (let nth = 0; nth < most; nth++) await correct(deps, orderId, { email: `sian${nth}@post.example` });
    const change = { email: "once.more@post.example" };
    await expect(correct(deps, orderId, change)).rejects.toMatchObject({ rule: "too-many-corrections" });
    const staff = { ...customer, actor: { kind: "staff", id: "user_1" } } as const;
    await correctContact(deps, orderId, change, undefined, staff);
    expect((await contactOf(deps, orderId)).email).toBe(change.email);
  });

  test("eighty times at once corrects as often as a customer may, and leaves no record of the others", async () => {
    const deps = testDependencies();
    const orderId = await pricedOrder(deps);
    const before = deps.vault.records.size;
    const answers = await Promise.allSettled(
      Array.from({ length: 80 }, (_, nth) => correct(deps, orderId, { email: `sian${nth}@post.example` })),
    );
    const corrected = (await typesOf(deps, orderId)).filter((type) => type === "ContactCorrected");
    expect(corrected).toHaveLength(most);
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(most);
    expect(deps.vault.records.size).toBe(before + most);
  });

  test("moves no postal address for a GRO that was sent the application meanwhile", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    const before = await contactOf(deps, orderId);
    beforeSealing(deps, ({ kind }) => kind === "contact" && startAttempt(deps, orderId));
    await expect(correct(deps, orderId, { contactAddress: elsewhere })).rejects.toMatchObject({
      rule: "attempt-open",
    });
    expect(await contactOf(deps, orderId)).toEqual(before);
  });
});
