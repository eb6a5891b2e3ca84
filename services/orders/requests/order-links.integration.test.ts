import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { paidOrder } from "../../../testing/gateway/admin-order-fixture.ts";
import { startTestStack, type TestStack } from "../../../testing/gateway/stack-fixture.ts";
import { customer } from "../../../testing/services/use-case-fixture.ts";
import { defaultLimits } from "../../gateway/guards/limit.ts";
import { correctContact } from "../correct-contact.ts";

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

async function findableOrder() {
  const email = `${randomUUID()}@mail.example`;
  const { id } = await paidOrder(stack);
  await correctContact(stack.deps, id, { email }, undefined, customer);
  await stack.makeFindable(id);
  return { id, email };
}

const ask = async (email: string) => {
  const began = performance.now();
  const { status, body, headers } = await stack.browser().post("/api/orders/links", { email });
  const named = [...headers.keys()].filter((name) => name !== "x-request-id").toSorted();
  return { status, body, named, ms: performance.now() - began };
};

test("an address with orders is answered like one without, and only its order records the request", async () => {
  const { id, email } = await findableOrder();
  const before = await stack.head();
  const without = await ask(`${randomUUID()}@mail.example`);
  expect(await stack.head()).toBe(before);
  const having = await ask(email.toUpperCase());
  expect(without).toMatchObject({ status: 204, body: "" });
  expect(having).toMatchObject({ status: 204, body: "", named: without.named });
  expect(having.named).not.toContain("position");
  for (const { ms } of [without, having]) expect(ms).toBeGreaterThanOrEqual(599);
  expect((await stack.events(id)).at(-1)).toMatchObject({ type: "OrderLinksRequested", data: {} });
  const written = JSON.stringify(await stack.events(id)) + stack.logLines.join("");
  expect(written.toLowerCase()).not.toContain(email);
});

test("what is no address is refused", async () => {
  const refused = await stack.browser().post("/api/orders/links", { email: "nobody" });
  expect(refused.status).toBe(422);
});

test("one caller asks as often as they may open tickets", async () => {
  const strict = await startTestStack({ limits: { ...defaultLimits, contact: 2 } });
  try {
    const asked = Array.from({ length: 3 }, () =>
      strict.browser().post("/api/orders/links", { email: "a@b.example" }),
    );
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 204, 429]);
  } finally {
    await strict.close();
  }
});
