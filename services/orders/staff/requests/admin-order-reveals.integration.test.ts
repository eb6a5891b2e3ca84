import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  bySystem,
  confirmedOrder,
  execute,
  paidOrder,
  purgedOrder,
  type StaffBrowser,
  staffBrowser,
  submittedOrder,
} from "../../../../testing/gateway/admin-order-fixture.ts";
import { createdOrder, startTestStack, type TestStack } from "../../../../testing/gateway/stack-fixture.ts";
import { textIn } from "../../../../testing/services/pdf-text.ts";
import { outcomeCommand } from "../../submission/gro-outcome.ts";

let stack: TestStack;
let staff: StaffBrowser;
beforeAll(async () => {
  stack = await startTestStack();
  staff = await staffBrowser(stack);
});
afterAll(() => stack.close());

const typesOf = async (id: string) => (await stack.events(id)).map(({ type }) => type);
const look = (dataClass: "application" | "contact", reason = "customerAsked") => ({ dataClass, reason });

/** The vault does this instead while something runs. */
async function withVault(change: Partial<TestStack["vault"]>, run: () => Promise<void>): Promise<void> {
  const { open } = stack.vault;
  Object.assign(stack.vault, change);
  try {
    await run();
  } finally {
    Object.assign(stack.vault, { open });
  }
}

describe("POST /api/admin/orders/{orderNumber}/reveal", () => {
  test("shows contact data, and the log says who looked and why", async () => {
    const order = await paidOrder(stack);
    const { status, body, headers } = await staff.post(`${order.path}/reveal`, look("contact", "complaint"));
    expect(status).toBe(200);
    expect(body.contact).toMatchObject({ email: "sian.rhys@post.example", contactFullName: "Mrs Siân Rhys" });
    expect(body.sections[0].facts).toContainEqual({ name: "Full name", value: "Mrs Siân Rhys" });
    const last = (await stack.events(order.id)).at(-1);
    expect(last).toMatchObject({
      type: "PersonalDataRevealed",
      revision: body.revision,
      data: { dataClass: "contact", reason: "complaint" },
      metadata: { actor: { kind: "staff" } },
    });
    expect(headers.get("Position")).toBe(last?.position);
    expect(headers.get("Cache-Control")).toBe("no-store");
  });

  test("shows the application in words, and as its form takes it back", async () => {
    const order = await paidOrder(stack);
    const { body } = await staff.post(`${order.path}/reveal`, look("application"));
    expect(body.application).toMatchObject({ certificateType: "Birth", applyingForOwn: true });
    const facts = body.sections.flatMap(({ facts }: { facts: unknown[] }) => facts);
    expect(facts).toContainEqual({ name: "Date of birth", value: "1 March 1970" });
    expect(facts).toContainEqual({ name: "Signed", value: "Siân Rhys" });
  });

  test("shows what the GRO asks, alone, while it waits for the answer", async () => {
    const order = await submittedOrder(stack);
    const named = { orderId: order.id, commandId: `asked-${order.id}`, repeatable: false };
    await stack.deps.orders.execute({
      orderId: order.id,
      by: bySystem(),
      ...outcomeCommand(stack.deps, named, { attempt: 1, outcome: "queried", question: "Which Bangor?" }),
    });
    const page = await staff.get(order.path);
    expect(page.body.personal).toMatchObject({ question: true });
    expect(JSON.stringify(page.body)).not.toContain("Which Bangor");
    const asked = { dataClass: "question", reason: "groQuery" };
    const { status, body } = await staff.post(`${order.path}/reveal`, asked);
    expect([status, body]).toEqual([200, { revision: expect.any(Number), question: "Which Bangor?" }]);
    expect((await stack.events(order.id)).at(-1)).toMatchObject({
      type: "PersonalDataRevealed",
      data: asked,
    });
    const none = await submittedOrder(stack);
    const refused = await staff.post(`${none.path}/reveal`, asked);
    expect([refused.status, refused.body.rule]).toEqual([409, "no-question-text"]);
  });

  test("shows notes with who wrote them and when", async () => {
    const order = await paidOrder(stack);
    const { body: page } = await staff.get(order.path);
    const note = { reason: "groPhoned", expectedRevision: page.revision, note: "Ring after six." };
    expect((await staff.post(`${order.path}/actions/add-note`, note)).status).toBe(200);
    const { body } = await staff.post(`${order.path}/reveal`, look("contact"));
    expect(body.notes).toEqual([
      {
        text: "Ring after six.",
        revision: page.revision + 1,
        at: expect.any(String),
        by: expect.any(String),
      },
    ]);
    expect(JSON.stringify(await stack.events(order.id))).not.toContain("Ring");
  });

  test("records the access before it opens anything: if the vault fails, the event remains", async () => {
    const order = await paidOrder(stack);
    const failing = async () => {
      expect((await typesOf(order.id)).at(-1)).toBe("PersonalDataRevealed");
      throw new Error("The vault is away.");
    };
    await withVault({ open: failing }, async () => {
      const { status, body } = await staff.post(`${order.path}/reveal`, look("application"));
      expect(status).toBe(500);
      expect(JSON.stringify(body)).not.toContain("Siân");
    });
    expect((await typesOf(order.id)).at(-1)).toBe("PersonalDataRevealed");
  });

  test("opens nothing when the log cannot be written", async () => {
    const order = await paidOrder(stack);
    const { append } = stack.store;
    let opened = 0;
    Object.assign(stack.store, { append: () => Promise.reject(new Error("The log is away.")) });
    await withVault({ open: () => Promise.reject(new Error(`opened ${++opened}`)) }, async () => {
      expect((await staff.post(`${order.path}/reveal`, look("contact"))).status).toBe(500);
    });
    Object.assign(stack.store, { append });
    expect(opened).toBe(0);
  });

  test("is a look each time, also when it is repeated", async () => {
    const order = await paidOrder(stack);
    const key = { "Idempotency-Key": "the-same-key-twice" };
    for (let looks = 0; looks < 2; looks++) await staff.post(`${order.path}/reveal`, look("contact"), key);
    expect((await typesOf(order.id)).filter((type) => type === "PersonalDataRevealed")).toHaveLength(2);
  });

  test("answers 410 with the receipt once the data is destroyed, and writes nothing", async () => {
    const order = await purgedOrder(stack);
    const before = await stack.events(order.id);
    const { status, body } = await staff.post(`${order.path}/reveal`, look("application"));
    expect(status).toBe(410);
    expect(body).toMatchObject({
      code: "personal-data-destroyed",
      dataClass: "application",
      receipt: { destroyed: ["application", "signature"], probe: "unreadable", rule: "submitted" },
    });
    expect(await stack.events(order.id)).toEqual(before);
  });

  test.each([
    ["no reason", { dataClass: "contact" }, "reason"],
    ["an invented reason", { dataClass: "contact", reason: "curious" }, "reason"],
    ["no class", { reason: "ticket" }, "dataClass"],
  ])("refuses %s, and writes nothing", async (_, body, field) => {
    const order = await paidOrder(stack);
    const before = await stack.events(order.id);
    const reply = await staff.post(`${order.path}/reveal`, body);
    expect(reply.status).toBe(422);
    expect(Object.keys(reply.body.errors)).toEqual([field]);
    expect(await stack.events(order.id)).toEqual(before);
  });
});

describe("POST /api/admin/orders/{orderNumber}/application.pdf", () => {
  const print = async (path: string) => {
    const response = await fetch(`${stack.url}${path}/application.pdf`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Authorization: `Bearer ${await stack.token("staff")}`,
      },
      body: JSON.stringify({ reason: "manualSubmission" }),
    });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  test("is the filled form, with every letter that was typed, and two looks in the log", async () => {
    const order = await confirmedOrder(stack);
    const contact = { contactFullName: "Mrs Ŵynne Łucja Żółć-Llŷr" };
    const { body: page } = await staff.get(order.path);
    const act = { reason: "detailsWrong", expectedRevision: page.revision, contact };
    expect((await staff.post(`${order.path}/actions/correct-contact`, act)).status).toBe(200);

    const { response, bytes } = await print(order.path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/pdf");
    expect(response.headers.get("content-disposition")).toContain(`application-${order.orderNumber}.pdf`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const text = textIn(bytes);
    for (const typed of [
      "Mrs Ŵynne Łucja Żółć-Llŷr",
      "Llywelyn",
      "1 March 1970",
      "Heol y Bont",
      order.orderNumber,
    ])
      expect(text).toContain(typed);
    expect(bytes.toString("latin1")).toMatch(/\/StructTreeRoot/);
    expect((await typesOf(order.id)).slice(-2)).toEqual(["PersonalDataRevealed", "PersonalDataRevealed"]);
    expect((await stack.events(order.id)).at(-1)?.data).toEqual({
      dataClass: "contact",
      reason: "manualSubmission",
    });
  });

  test("answers 410 with the receipt after the purge", async () => {
    const order = await purgedOrder(stack);
    const { response, bytes } = await print(order.path);
    expect(response.status).toBe(410);
    expect(JSON.parse(bytes.toString())).toMatchObject({
      dataClass: "application",
      receipt: { probe: "unreadable" },
    });
  });

  test("answers 409 for an order without a certificate", async () => {
    const browser = stack.browser();
    const { orderNumber } = await createdOrder(browser);
    const { response } = await print(`/api/admin/orders/${orderNumber}`);
    expect(response.status).toBe(409);
  });
});

test("A purge between two looks is recorded as one", async () => {
  const order = await paidOrder(stack);
  await execute(stack, order.id, {
    type: "CancelOrder",
    data: { reason: "staffRequest", closedIntentId: null },
  });
  const records = await stack.vault.recordsOf(order.id, "application");
  await stack.vault.destroy(records.map(({ recordId }) => recordId));
  const { status, body } = await staff.post(`${order.path}/reveal`, look("application"));
  // The vault knows before the log does, so there is no receipt yet.
  expect([status, body.receipt]).toEqual([410, null]);
});
