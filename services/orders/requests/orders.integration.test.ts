import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { applicationRecord } from "../../../domain/forms/sealed-records.ts";
import { firstPriceList } from "../../../domain/pricing/price-list.ts";
import { orderBody, variantBody } from "../../../testing/gateway/request-bodies-fixture.ts";
import {
  createdOrder,
  pricedOrder,
  startTestStack,
  type TestStack,
} from "../../../testing/gateway/stack-fixture.ts";
import type { TestBrowser } from "../../../testing/gateway/test-browser.ts";

let stack: TestStack;
let browser: TestBrowser;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());
beforeEach(() => {
  browser = stack.browser();
});

const typesOf = async (orderId: string) => (await stack.events(orderId)).map(({ type }) => type);
const idempotent = () => ({ "Idempotency-Key": randomUUID() });

describe("POST /api/orders", () => {
  test("opens an order and makes the browser its holder", async () => {
    const order = await createdOrder(browser);
    expect(order.orderNumber).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{5}$/);
    const read = await browser.get(`/api/orders/${order.id}`, { "Read-After": order.position });
    expect(read.status).toBe(200);
    expect(read.body).toMatchObject({ id: order.id, orderNumber: order.orderNumber, status: "Pending" });
  });

  test("keeps what other headers say beside its cookies, new and deleted", async () => {
    const planted = Array.from({ length: 11 }, () => `order-${randomUUID()}=1.${"A".repeat(22)}`);
    const { headers } = await browser.post("/api/orders", orderBody(), { Cookie: planted.join("; ") });
    const cookies = headers.getSetCookie();
    expect(cookies).toHaveLength(3);
    expect(cookies.filter((cookie) => cookie.includes("Max-Age=0"))).toHaveLength(2);
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect(headers.get("Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("answers with id, order number, reference and the position written", async () => {
    const reply = await browser.post("/api/orders", orderBody());
    expect(reply.status).toBe(201);
    expect(Object.keys(reply.body).sort()).toEqual(["id", "orderNumber", "reference"]);
    expect(reply.body.reference).toMatch(/^REF-\d{4}-\d{1,3}$/);
    expect(reply.headers.get("Position")).toBe(await stack.head());
  });

  test("keeps what was typed in the vault and out of the log", async () => {
    const { id } = await createdOrder(browser);
    const log = JSON.stringify(await stack.events(id));
    for (const typed of ["Rhys", "Si", "Heol", "Aberystwyth", "SY23", "01970 0", "post.example"]) {
      expect(log).not.toContain(typed);
    }
    const kinds = (await stack.vault.recordsOf(id)).map(({ kind }) => kind).sort();
    expect(kinds).toEqual(["contact", "signature"]);
  });

  test.each<[string, Record<string, unknown>, string, string]>([
    ["no email", { email: "" }, "email", "Please enter a valid email address"],
    ["no email at all", { email: undefined }, "email", "Please enter a valid email address"],
    ["no name", { contactFullName: " " }, "contactFullName", "Full name is required"],
    ["an address that is no JSON", { contactAddress: "1 High St" }, "contactAddress", "Address is required"],
    ["a phone that is no JSON", { contactPhone: "12" }, "contactPhone", "Daytime phone is required"],
    ["no daytime phone", { contactPhone: "{}" }, "contactPhone.Daytime", "Daytime phone is required"],
    ["no amount", { totalAmount: undefined }, "totalAmount", "Enter an amount in pounds"],
    ["half a penny", { totalAmount: 45.005 }, "totalAmount", "Enter an amount in pounds"],
    ["words for an amount", { totalAmount: "lots" }, "totalAmount", "Enter an amount in pounds"],
    ["terms to come", { termsVersion: 99 }, "termsVersion", "There is no such version of the terms"],
    ["terms as text", { termsVersion: "1" }, "termsVersion", "There is no such version of the terms"],
    ["no such consent", { consentVersion: 0 }, "consentVersion", "There is no such version of the consent"],
    ["a number for a company", { companyName: 7 }, "companyName", "Invalid input"],
    ["a list for a name", { contactFullName: ["a"] }, "contactFullName", "Full name is required"],
  ])("with %s is refused, and the field is named", async (_, changes, field, message) => {
    const before = await stack.head();
    const reply = await browser.post("/api/orders", orderBody(changes));
    expect(reply.status).toBe(422);
    expect(reply.headers.get("Content-Type")).toContain("application/problem+json");
    expect(reply.body).toMatchObject({ status: 422, code: "invalid-fields", errors: { [field]: message } });
    expect(await stack.head()).toBe(before);
  });

  test.each([
    ["Address1", "Address line 1 is required"],
    ["Town", "Town is required"],
    ["County", "County is required"],
    ["PostCode", "Postcode is required"],
    ["Country", "Country is required"],
  ])("without %s in the address says so in the form's words", async (part, message) => {
    const { [part]: _, ...rest } = JSON.parse(orderBody().contactAddress);
    const reply = await browser.post("/api/orders", orderBody({ contactAddress: JSON.stringify(rest) }));
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual({ [`contactAddress.${part}`]: message });
  });

  test("with a sum that no choice costs is refused with the unit prices of today", async () => {
    const before = await stack.head();
    const reply = await browser.post("/api/orders", orderBody({ totalAmount: 45.99 }));
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({
      code: "impossible-quote",
      unitPrices: { standard: 45, priority: 75 },
    });
    expect(await stack.head()).toBe(before);
  });

  test.each(["[]", '"text"', "null", "{", "7"])("with the body %s is malformed", async (body) => {
    const reply = await fetch(`${stack.url}/api/orders`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
    });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ code: "malformed-request" });
  });
});

describe("Odd text", () => {
  test.each<[string, string]>([
    ["half a surrogate pair", "Si\ud800n"],
    ["a null character", "Si\u0000n"],
    ["a line of its own", "Si\n--\r\nn"],
    ["a right-to-left override", "\u202enaiS"],
  ])("such as %s is kept or refused, but never a fault of ours", async (_, signature) => {
    const reply = await browser.post("/api/orders", orderBody({ signature }), idempotent());
    expect([201, 400]).toContain(reply.status);
    const variant = variantBody({ customerFirstName: signature });
    const priced = await browser.post(`/api/orders/${reply.body.id}/variants`, variant, idempotent());
    expect([201, 400, 404]).toContain(priced.status);
  });

  test("such as JSON nested 30,000 deep is read and refused", async () => {
    const deep = `{"signature":${"[".repeat(30_000)}${"]".repeat(30_000)}}`;
    const headers = { "Content-Type": "application/json" };
    const reply = await fetch(`${stack.url}/api/orders`, { method: "POST", headers, body: deep });
    expect(reply.status).toBe(422);
  });

  test.each(["%00", "%F0%9F%98%80", "..%2F..%2Fadmin", "' or 1=1 --", "7K3M%E2%80%8B"])(
    "such as %s for an order number finds nothing",
    async (typed) => {
      expect((await browser.get(`/api/orders/lookup/${typed}`)).status).toBe(404);
    },
  );

  test.each([["__proto__"], ["constructor"], ["toString"]])(
    "such as %s for a field is ignored",
    async (name) => {
      const body = `{"${name}":{"totalAmount":1},${JSON.stringify(orderBody()).slice(1)}`;
      const reply = await fetch(`${stack.url}/api/orders`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body,
      });
      expect(reply.status).toBe(201);
    },
  );
});

describe("An Idempotency-Key", () => {
  test("makes a repeat the same order, and gives its cookie again", async () => {
    const key = idempotent();
    const first = await browser.post("/api/orders", orderBody(), key);
    const second = stack.browser();
    const repeat = await second.post("/api/orders", orderBody(), key);
    expect(repeat.body).toEqual(first.body);
    expect(repeat.headers.get("Position")).toBe(first.headers.get("Position"));
    expect(second.cookieNames).toEqual(browser.cookieNames);
    expect(await typesOf(first.body.id)).toEqual(["OrderCreated"]);
  });

  test("with another body is refused, and nothing is written", async () => {
    const key = idempotent();
    await browser.post("/api/orders", orderBody(), key);
    const before = await stack.head();
    const reply = await browser.post("/api/orders", orderBody({ email: "other@post.example" }), key);
    expect(reply.status).toBe(422);
    expect(reply.body.code).toBe("idempotency-key-reused");
    expect(await stack.head()).toBe(before);
  });

  test("makes one order of 20 identical requests at once", async () => {
    const key = idempotent();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => stack.browser().post("/api/orders", orderBody(), key)),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    const ids = new Set(replies.map(({ body }) => body.id));
    expect(ids.size).toBe(1);
    const [id] = ids;
    const events = await stack.events(id);
    expect(events.map(({ type }) => type)).toEqual(["OrderCreated"]);
    const kept = (await stack.vault.recordsOf(id)).map(({ recordId }) => recordId);
    expect(kept).toContain(events[0]?.data.contactRef);
  });

  test("is optional: without it each request is an order of its own", async () => {
    const [first, second] = [await createdOrder(browser), await createdOrder(browser)];
    expect(first.id).not.toBe(second.id);
  });

  test("of an order whose contact data is gone tells its holder alone: there is nothing left to compare", async () => {
    const key = idempotent();
    const { id } = (await browser.post("/api/orders", orderBody(), key)).body;
    const contact = await stack.vault.recordsOf(id, "contact");
    await stack.vault.destroy(contact.map(({ recordId }) => recordId));
    const stranger = stack.browser();
    for (const body of [orderBody(), orderBody({ email: "other@post.example" })]) {
      const reply = await stranger.post("/api/orders", body, key);
      expect([reply.status, reply.body.code]).toEqual([422, "idempotency-key-reused"]);
      expect(JSON.stringify(reply.body)).not.toContain(id);
    }
    expect(stranger.cookieNames).toEqual([]);
    expect((await browser.post("/api/orders", orderBody(), key)).body.id).toBe(id);
    expect(await typesOf(id)).toEqual(["OrderCreated"]);
  });

  test("that others might also choose is refused", async () => {
    const reply = await browser.post("/api/orders", orderBody(), { "Idempotency-Key": "1" });
    expect(reply.status).toBe(400);
  });

  test("of an order is another key for a variant", async () => {
    const key = idempotent();
    const order = await browser.post("/api/orders", orderBody(), key);
    const variant = await browser.post(`/api/orders/${order.body.id}/variants`, variantBody(), key);
    expect(variant.status).toBe(201);
    expect(await typesOf(order.body.id)).toEqual(["OrderCreated", "VariantAdded"]);
  });
});

describe("POST /api/orders/{id}/variants", () => {
  test("prices the order", async () => {
    const order = await pricedOrder(browser);
    const read = await browser.post(
      "/api/orders/lookup",
      { orderNumber: order.orderNumber },
      { "Read-After": order.position },
    );
    expect(read.body).toMatchObject({ total: 45, items: ["Birth Certificate × 1"], status: "Pending" });
  });

  test("seals the application, so that none of it is in the log", async () => {
    const { id } = await pricedOrder(browser);
    const log = JSON.stringify(await stack.events(id));
    // A hash may have the digits of the year anywhere.
    for (const typed of ["Llywelyn", "Prydderch", "Mair", "March", ":1970", '"1970"'])
      expect(log).not.toContain(typed);
    expect((await stack.vault.recordsOf(id, "application")).map(({ kind }) => kind).sort()).toEqual([
      "application",
      "signature",
    ]);
  });

  test("carries the order's own label into the application, whatever the body calls it", async () => {
    const created = (await browser.post("/api/orders", orderBody())).body;
    await browser.post(`/api/orders/${created.id}/variants`, variantBody({ reference: "REF-1999-999" }));
    const records = await stack.vault.recordsOf(created.id, "application");
    const { recordId = "" } = records.find(({ kind }) => kind === "application") ?? {};
    const { reference } = await stack.vault.open(recordId, applicationRecord);
    expect(reference).toBe(created.reference);
  });

  test("again replaces the first, and with the same key changes nothing", async () => {
    const { id } = await createdOrder(browser);
    const key = idempotent();
    await browser.post(`/api/orders/${id}/variants`, variantBody(), key);
    await browser.post(`/api/orders/${id}/variants`, variantBody(), key);
    expect(await typesOf(id)).toEqual(["OrderCreated", "VariantAdded"]);
    await browser.post(`/api/orders/${id}/variants`, variantBody({ customerFirstName: "Nia" }));
    expect(await typesOf(id)).toEqual(["OrderCreated", "VariantAdded", "VariantReplaced"]);
  });

  test.each<[string, Record<string, unknown>, number, boolean]>([
    ["less than the list's price", { amount: 40 }, 45, false],
    ["another quantity than was quoted", { fullCertificateQty: 2, amount: 90 }, 90, true],
    ["another service than was quoted", { priorityDispatch: true, amount: 75 }, 75, true],
  ])("for %s is refused with the right total", async (_, changes, totalAmount, needsNewOrder) => {
    const { id } = await createdOrder(browser);
    const before = await stack.head();
    const reply = await browser.post(`/api/orders/${id}/variants`, variantBody(changes));
    expect(reply.status).toBe(409);
    expect(reply.body).toMatchObject({ code: "wrong-amount", totalAmount, needsNewOrder });
    expect(await stack.head()).toBe(before);
  });

  test.each<[string, Record<string, unknown>, string, string]>([
    ["no surname", { SurnameAtBirth: "" }, "SurnameAtBirth", "Surname at birth is required"],
    ["no forenames", { ForenamesAtBirth: "" }, "ForenamesAtBirth", "Forenames at birth is required"],
    [
      "no mother's maiden name",
      { MotherMaidenName: "" },
      "MotherMaidenName",
      "Mother's maiden name is required",
    ],
    ["no gender", { gender: "" }, "gender", "Gender is required"],
    ["no month", { DateOfBirth: { Day: 1, Year: 1970 } }, "DateOfBirth.Month", "Month is required"],
  ])("with %s names the field in the form's words", async (_, details, field, message) => {
    const { id } = await createdOrder(browser);
    const before = await stack.head();
    const certificateDetails = { ...variantBody().certificateDetails, ...details };
    const reply = await browser.post(`/api/orders/${id}/variants`, variantBody({ certificateDetails }));
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toMatchObject({ [`certificateDetails.${field}`]: message });
    expect(await stack.head()).toBe(before);
  });

  test("for a birth registered in Scotland is refused before any money is asked for", async () => {
    const { id } = await createdOrder(browser);
    const eventDetails = { ...variantBody().eventDetails, EventRegistrationLocation: "Scotland" };
    const reply = await browser.post(`/api/orders/${id}/variants`, variantBody({ eventDetails }));
    expect(reply.status).toBe(422);
    expect(reply.body.errors["eventDetails.EventRegistrationLocation"]).toContain(
      "National Records of Scotland",
    );
  });
});

describe("An adopted person's own birth certificate", () => {
  test("is refused before any money is asked for, with the GRO's number", async () => {
    const { id } = await createdOrder(browser);
    const reply = await browser.post(
      `/api/orders/${id}/variants`,
      variantBody({ adopted: true, applyingForOwn: true }),
    );
    expect(reply.status).toBe(422);
    expect(reply.body.errors.adopted).toContain("0300 123 1837");
  });
});

describe("Prices and configuration", () => {
  test.each(["birth", "death", "marriage", "adoption"])(
    "of a %s certificate are a list in pounds",
    async (type) => {
      const reply = await browser.get(`/api/pricing/services/${type}-certificate`);
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual([
        { serviceId: "standard", retailPrice: 45 },
        { serviceId: "priority", retailPrice: 75 },
      ]);
    },
  );

  test("of anything else are not found", async () => {
    expect((await browser.get("/api/pricing/services/dog-licence")).status).toBe(404);
  });

  test("tell the pages what they must know, and no secret", async () => {
    const { body } = await browser.get("/api/config");
    expect(body).toEqual({
      modes: { payments: "sandbox", identity: "sandbox", submission: "live", mail: "live" },
      sandbox: true,
      tradingName: "Test & Copy",
      supportEmail: "help@test.example",
      publishableKey: "pk_test_fixture",
      stripeScript: "/sandbox/stripe.js",
      clerkPublishableKey: null,
      termsVersion: 2,
      consentVersion: 1,
      priceListVersion: 1,
      prices: firstPriceList,
      postalAddress: "1 Test Street, Nottingham, NG1, United Kingdom",
      companyName: "",
      companyNumber: "",
      vatNumber: "",
      registeredIn: "",
      registeredOffice: "",
      telephone: "",
      telephoneHours: "",
      replyWorkingDays: "",
      orderableTypes: ["Birth", "Death", "Marriage", "Adoption"],
      testimonials: [],
      facts: null,
      contactRetentionDays: 365,
    });
  });
});
