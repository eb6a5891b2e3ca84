import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { daysAfter } from "../../domain/calendar-date.ts";
import { londonDate } from "../../domain/promise/london-time.ts";
import { everyTypeAt } from "../../testing/domain/settings-fixture.ts";
import { orderBody, settingsBodies, variantBody } from "../../testing/gateway/request-bodies-fixture.ts";
import { startTestStack, type TestStack } from "../../testing/gateway/stack-fixture.ts";
import type { Reply } from "../../testing/gateway/test-browser.ts";

// Lets prices come into force during the tests. Sign in before moving it: sessions are verified by the real clock.
let skippedMs = 0;
const now = () => new Date(Date.now() + skippedMs);
const dayMs = 86_400_000;
const today = () => londonDate(now().toISOString());
const tomorrow = () => daysAfter(londonDate(now().toISOString()), 1);
let stack: TestStack;
let manager: Record<string, string>;
beforeAll(async () => {
  stack = await startTestStack({ now });
});
afterAll(() => stack.close());

const asManager = async () => ({ Authorization: `Bearer ${await stack.token("manager")}` });

async function read(path = ""): Promise<Reply> {
  manager = await asManager();
  return stack.browser().get(`/api/admin/settings${path}`, manager);
}

/** Changes a setting at the current revision. */
async function change(path: string, body: Record<string, unknown>, headers = {}): Promise<Reply> {
  const { revision } = (await read()).body;
  const all = { ...(await asManager()), ...headers };
  return stack.browser().post(`/api/admin/settings/${path}`, { expectedRevision: revision, ...body }, all);
}

const config = async () => (await stack.browser().get("/api/config")).body;
const pricesOf = async (type: string) =>
  (await stack.browser().get(`/api/pricing/services/${type}-certificate`)).body;

describe("Every change of a setting", () => {
  test.each(Object.entries(settingsBodies).filter(([path]) => path !== "prices/withdraw"))(
    "%s is shown at once, and in the history with its author, time, before and after",
    async (path, body) => {
      const before = (await read()).body.revision;
      const reply = await change(path, body);
      expect(reply.status).toBe(200);
      expect(reply.body.revision).toBe(before + 1);
      expect(reply.headers.get("Position")).toMatch(/./);
      expect((await read()).body).toEqual(reply.body);
      const [newest] = (await read("/history")).body.changes;
      expect(newest).toMatchObject({
        revision: before + 1,
        at: expect.stringMatching(/^20.*Z$/),
        by: { userId: expect.stringMatching(/^user_/), name: expect.stringMatching(/./) },
        setting: expect.stringMatching(/./),
      });
      expect(newest.after).not.toEqual(newest.before);
    },
  );

  test("leaves an event that names people only by id, and no text", async () => {
    await change("canned-answers", { answer: { title: "Sentinel", text: "Dear sentinel" } });
    const events = await stack.store.readStream("settings");
    const last = events.at(-1);
    expect(last?.metadata.actor).toEqual({ kind: "staff", id: expect.stringMatching(/^user_/) });
    expect(JSON.stringify(events)).not.toMatch(/sentinel/i);
  });

  test("is refused on the basis of older settings, and nothing is written", async () => {
    const { revision } = (await read()).body;
    await change("refund-limit", { refundLimitPence: 61_00 });
    const late = await change("refund-limit", { refundLimitPence: 62_00, expectedRevision: revision });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({ code: "changed-meanwhile", revision: revision + 1 });
    expect((await read()).body.refundLimitPence).toBe(61_00);
  });

  test("is made once, however often the same request is sent", async () => {
    const { revision } = (await read()).body;
    const headers = { "Idempotency-Key": "a-key-of-sixteen-letters" };
    const body = { answer: { title: "Once", text: "Only once." }, expectedRevision: revision };
    const [first, second] = [
      await change("canned-answers", body, headers),
      await change("canned-answers", body, headers),
    ];
    expect(first.status).toBe(200);
    expect(second.body).toEqual(first.body);
    const titles = (await read()).body.cannedAnswers.map(({ title }: { title: string }) => title);
    expect(titles.filter((title: string) => title === "Once")).toHaveLength(1);
  });

  test.each([
    ["prices", { ...settingsBodies.prices, effectiveFrom: today() }, "not-before-tomorrow"],
    ["prices", { ...settingsBodies.prices, unitPricePence: everyTypeAt(1600, 7900) }, "not-above-gro-fees"],
    ["prices/withdraw", { version: 1 }, "not-scheduled"],
    ["retention", { contactRetentionDays: 29 }, "retention-too-short"],
    ["retention", { contactRetentionDays: 366 }, "retention-too-long"],
  ])("%s is refused where a rule forbids it (%#)", async (path, body, rule) => {
    const reply = await change(path, body);
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({ code: "setting-refused", rule });
  });

  test("about oneself is refused: no manager can lock themselves out", async () => {
    await change("refund-limit", { refundLimitPence: 63_00 });
    const [{ by }] = (await read("/history")).body.changes;
    const revoked = await change("staff/revoke", { userId: by.userId });
    expect(revoked.body).toMatchObject({ code: "setting-refused", rule: "own-role" });
    expect((await read()).status).toBe(200);
  });

  test.each([
    [
      "company",
      { company: { ...settingsBodies.company.company, supportEmail: "help" } },
      "company.supportEmail",
    ],
    ["canned-answers", { answer: { title: "T", text: "{{nme}}" } }, "answer.text"],
    ["testimonials", { testimonials: [{ quote: "Q", name: "N", source: "" }] }, "testimonials.0.source"],
    ["staff/grant", { userId: "Jo Smith", role: "staff" }, "userId"],
  ])("%s names the field that is wrong", async (path, body, field) => {
    const reply = await change(path, body);
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.errors)).toEqual([field]);
  });
});

describe("What customers see and pay", () => {
  test("is the list in force: shown, charged, and kept by an order that was priced before", async () => {
    await change("prices", { effectiveFrom: tomorrow(), unitPricePence: everyTypeAt(4900, 7900) });
    expect(await pricesOf("birth")).toEqual([
      { serviceId: "standard", retailPrice: 45 },
      { serviceId: "priority", retailPrice: 75 },
    ]);
    const early = stack.browser();
    const { id } = (await early.post("/api/orders", orderBody())).body;
    expect((await early.post(`/api/orders/${id}/variants`, variantBody())).status).toBe(201);

    skippedMs = dayMs;
    onTestFinished(() => {
      skippedMs = 0;
    });
    expect((await config()).prices).toMatchObject({ version: 3, unitPricePence: everyTypeAt(4900, 7900) });
    expect((await pricesOf("death"))[0]).toEqual({ serviceId: "standard", retailPrice: 49 });
    // The old price holds only for the order that has it.
    const asked = await early.post("/api/create-payment-intent", { amount: 45, orderId: id });
    expect(asked.status).toBe(200);
    const stale = await stack.browser().post("/api/orders", orderBody());
    expect(stale.status).toBe(422);
    expect(stale.body).toMatchObject({
      code: "impossible-quote",
      unitPrices: { standard: 49, priority: 79 },
    });
    const late = stack.browser();
    const order = (await late.post("/api/orders", orderBody({ totalAmount: 49 }))).body;
    const wrong = await late.post(`/api/orders/${order.id}/variants`, variantBody());
    expect(wrong.status).toBe(409);
    expect(wrong.body).toMatchObject({ code: "wrong-amount", totalAmount: 49 });
    const right = await late.post(`/api/orders/${order.id}/variants`, variantBody({ amount: 49 }));
    expect(right.status).toBe(201);
    const added = (await stack.events(order.id)).find(({ type }) => type === "VariantAdded");
    expect(added?.data).toMatchObject({
      priceListVersion: 3,
      totalPence: 4900,
      feePerCopy: { groFeePence: 1250, groSearchFeePence: 350, ourFeePence: 3300 },
    });
  });

  test("is who we are, what can be ordered, and what customers said", async () => {
    await change("company", settingsBodies.company);
    await change("testimonials", settingsBodies.testimonials);
    expect(await config()).toMatchObject({
      tradingName: "Ash & Oak",
      testimonials: settingsBodies.testimonials.testimonials,
      orderableTypes: ["Birth", "Death", "Adoption"],
    });
  });

  test("is no type that is switched off, though what is ordered already can still be put right", async () => {
    const browser = stack.browser();
    const { id } = (await browser.post("/api/orders", orderBody())).body;
    const added = await browser.post(`/api/orders/${id}/variants`, variantBody());
    await change("certificate-types", { certificateType: "Birth", orderable: false });
    const refused = await browser.post(`/api/orders/${id}/variants`, variantBody());
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({
      code: "invalid-fields",
      errors: { certificateType: "Birth certificates cannot be ordered at the moment" },
    });
    // Not paid yet, so the rule of the order refuses it: the setting does not.
    const amended = await browser.post(`/api/orders/${id}/application`, variantBody(), {
      "Read-After": added.headers.get("Position") ?? "",
    });
    expect(amended.body.code).toBe("forbidden-in-phase");
    await change("certificate-types", { certificateType: "Birth", orderable: true });
    expect((await browser.post(`/api/orders/${id}/variants`, variantBody())).status).toBe(201);
  });
});

describe("A role", () => {
  test("that is revoked is gone at once, and comes back when it is granted", async () => {
    const headers = { Authorization: `Bearer ${await stack.token("staff", "jo")}` };
    const answers = () => stack.browser().get("/api/admin/settings/canned-answers", headers);
    expect((await answers()).status).toBe(200);
    const { userId } = (await stack.browser().get("/api/me", headers)).body;
    await change("staff/revoke", { userId });
    expect((await answers()).status).toBe(403);
    await change("staff/grant", { userId, role: "staff" });
    expect((await answers()).status).toBe(200);
  });
});
