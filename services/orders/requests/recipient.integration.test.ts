import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { staffBrowser } from "../../../testing/gateway/admin-order-fixture.ts";
import { variantBody } from "../../../testing/gateway/request-bodies-fixture.ts";
import { createdOrder, startTestStack, type TestStack } from "../../../testing/gateway/stack-fixture.ts";

/** The recipient of the certificate, if not the customer, and the customer's own reference. */

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

const address = {
  Address1: "2 Stryd Fawr",
  Address2: "",
  Town: "Bangor",
  County: "Gwynedd",
  Country: "United Kingdom",
  PostCode: "LL57 1AA",
};
const given = {
  recipient: { fullName: "Mair Evans", address },
  customerReference: "SMITH/42",
};
const shown = { recipientName: "Mair Evans", customerReference: "SMITH/42" };
const hidden = { recipientName: null, customerReference: null, orderedTogether: [] };

async function ordered(changes: Record<string, unknown> = given) {
  const browser = stack.browser();
  const { id, orderNumber } = await createdOrder(browser, changes);
  const reply = await browser.post(`/api/orders/${id}/variants`, variantBody());
  const readAfter = { "Read-After": reply.headers.get("Position") ?? "" };
  const seenBy = async (visitor = browser) => [
    (await visitor.post("/api/orders/lookup", { orderNumber }, readAfter)).body,
    (await visitor.get(`/api/orders/lookup/${orderNumber}`, readAfter)).body,
  ];
  return { browser, id, orderNumber, seenBy };
}

describe("A recipient and a reference", () => {
  test("are for the order's holder alone, and in no event", async () => {
    const { browser, id, seenBy } = await ordered();
    expect((await browser.get(`/api/orders/${id}/contact`)).body).toMatchObject(given);
    expect((await browser.get(`/api/orders/${id}/another`)).body.contact).toMatchObject(given);
    for (const body of await seenBy()) expect(body).toMatchObject(shown);
    for (const body of await seenBy(stack.browser())) {
      expect(body).toMatchObject(hidden);
      expect(JSON.stringify(body)).not.toMatch(/Mair|SMITH/);
    }
    expect(JSON.stringify(await stack.events(id))).not.toMatch(/Mair|Stryd|SMITH/);
  });

  test("are absent from the record of an order without them", async () => {
    for (const none of [{}, { recipient: null, customerReference: " " }]) {
      const { browser, id, seenBy } = await ordered(none);
      const { body } = await browser.get(`/api/orders/${id}/contact`);
      expect(body).not.toHaveProperty("recipient");
      expect(body).not.toHaveProperty("customerReference");
      for (const body of await seenBy()) expect(body).toMatchObject(hidden);
    }
  });

  test("are revealed to staff with the contact data, which they can correct", async () => {
    const { browser, id, orderNumber } = await ordered();
    const staff = await staffBrowser(stack);
    const path = `/api/admin/orders/${orderNumber}`;
    const { body } = await staff.post(`${path}/reveal`, { dataClass: "contact", reason: "customerAsked" });
    expect(body.contact).toMatchObject(given);
    expect(body.sections).toContainEqual({
      heading: "Post the certificate to",
      facts: [
        { name: "Full name", value: "Mair Evans" },
        { name: "Postal address", value: "2 Stryd Fawr\nBangor\nGwynedd\nLL57 1AA\nUnited Kingdom" },
      ],
    });
    const correction = {
      reason: "customerAsked",
      expectedRevision: body.revision,
      contact: { recipient: null },
    };
    expect((await staff.post(`${path}/actions/correct-contact`, correction)).status).toBe(200);
    const { body: contact } = await browser.get(`/api/orders/${id}/contact`);
    expect(contact).not.toHaveProperty("recipient");
    expect(contact).toMatchObject({ customerReference: "SMITH/42" });
  });

  test("go with the contact record when it is destroyed", async () => {
    const { browser, id, seenBy } = await ordered();
    const records = await stack.vault.recordsOf(id, "contact");
    await stack.vault.destroy(records.map(({ recordId }) => recordId));
    expect((await browser.get(`/api/orders/${id}/contact`)).status).toBe(404);
    for (const body of await seenBy()) expect(body).toMatchObject(hidden);
  });

  test.each([
    [{ recipient: {} }, { "recipient.fullName": "Recipient’s full name is required" }],
    [{ recipient: "Mair Evans" }, { recipient: "Recipient’s name and address are required" }],
    [
      { recipient: { fullName: "Mair Evans", address: { ...address, Town: " " } } },
      { "recipient.address.Town": "Recipient’s town is required" },
    ],
    [
      { recipient: { fullName: "Mair Evans", address: { ...address, Country: "France" } } },
      { "recipient.address.Country": "Recipient’s country is required" },
    ],
    [{ customerReference: "x".repeat(41) }, { customerReference: "Use 40 characters or fewer" }],
  ])("are refused as %j", async (change, errors) => {
    const { browser, id } = await ordered({});
    const reply = await browser.post(`/api/orders/${id}/contact`, change);
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toMatchObject(errors);
  });
});
