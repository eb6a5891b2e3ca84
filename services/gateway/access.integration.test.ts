import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  accessRows,
  answerAboutAbsent,
  type CallerName,
  callers,
  isAboutOne,
  roles,
} from "../../testing/gateway/access-rows-fixture.ts";
import { ticketBody, variantBody } from "../../testing/gateway/request-bodies-fixture.ts";
import {
  createdOrder,
  type Ordered,
  pricedOrder,
  startTestStack,
  type TestStack,
} from "../../testing/gateway/stack-fixture.ts";
import type { Reply, TestBrowser } from "../../testing/gateway/test-browser.ts";
import { ticketRequest } from "../../testing/services/ticket-fixture.ts";
import { openTicket } from "../tickets/write-in-ticket.ts";

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());

const aTicket = async (): Promise<string> =>
  (await stack.browser().post("/api/tickets", ticketBody())).body.ticketNumber;

/** A customer who wrote to us, and can be found. */
async function aCustomer(): Promise<string> {
  const email = `${randomUUID()}@mail.example`;
  const { ticket } = await openTicket(stack.deps, ticketRequest({ email }), null, undefined, "a-request");
  await stack.makeFindable(ticket.ticketId);
  const headers = { Authorization: `Bearer ${await stack.token("staff")}` };
  const body = { by: "email", typed: email };
  return (await stack.browser().post("/api/admin/customers/search", body, headers)).body.customers[0].id;
}

/** What a route is called about. */
type Subject = { order: Ordered; ticketNumber: string; customerId: string };

/** Well-formed numbers and ids that do not exist. */
const absent = (): Subject => ({
  order: { id: randomUUID(), orderNumber: "0000-0000-00001", position: "" },
  ticketNumber: "T-0000-0000-00001",
  customerId: randomUUID(),
});

async function present(route: string, order: Ordered): Promise<Subject> {
  return {
    order,
    ticketNumber: route.includes("{ticketNumber}") ? await aTicket() : "",
    customerId: route.includes("/customers/{id}") ? await aCustomer() : "",
  };
}

async function callAs(
  caller: CallerName,
  route: string,
  { order, ticketNumber, customerId }: Subject,
  holder: TestBrowser,
): Promise<Reply> {
  const [method = "", pattern = ""] = route.split(" ");
  const path = pattern
    .replace("{id}", pattern.includes("/customers/{id}") ? customerId : order.id)
    .replace("{orderNumber}", order.orderNumber)
    .replace("{service}", "birth-certificate")
    .replace("{tile}", "0/x001/000.p/2")
    .replace("{ticketNumber}", ticketNumber);
  const browser = caller === "holder" ? holder : stack.browser();
  if (caller === "other") await createdOrder(browser);
  const signedIn = !["anonymous", "other", "holder"].includes(caller);
  const headers = {
    ...(order.position !== "" && { "Read-After": order.position }),
    ...(signedIn && { Authorization: `Bearer ${await stack.token(roles[caller])}` }),
  };
  return method === "GET"
    ? browser.get(path, headers)
    : browser.post(path, accessRows[route]?.body?.(order), headers);
}

describe("Every route", () => {
  test("stands in the table of who may call it", () => {
    const declared = stack.routes.map(({ request: { method, path } }) => `${method} ${path}`);
    const words = "each route has a row in testing/gateway/access-rows-fixture.ts";
    expect(declared.sort(), words).toEqual(Object.keys(accessRows).sort());
  });

  test("admits in the table exactly the roles that it names itself", () => {
    for (const {
      request: { method, path, from },
    } of stack.routes) {
      if (typeof from === "string") continue;
      const answers = accessRows[`${method} ${path}`]?.answers;
      const admitted = callers.filter(
        (caller) => answers && answers[caller] !== 401 && answers[caller] !== 403,
      );
      expect(admitted, `${method} ${path}`).toEqual(
        callers.filter((caller) => from.some((role) => role === caller)),
      );
    }
  });

  const rows = Object.keys(accessRows).flatMap((route) => callers.map((caller) => [route, caller] as const));
  test.each(rows)("%s as %s", async (route, caller) => {
    const holder = stack.browser();
    const order = await pricedOrder(holder);
    const before = await stack.events(order.id);
    const reply = await callAs(caller, route, await present(route, order), holder);
    expect(reply.status).toBe(accessRows[route]?.answers[caller]);
    if (reply.status >= 400) expect(await stack.events(order.id)).toEqual(before);
  });
});

describe("What is not there", () => {
  const rows = Object.keys(accessRows)
    .filter(isAboutOne)
    .flatMap((route) => callers.map((caller) => [route, caller] as const));

  test.each(rows)("answers %s as %s", async (route, caller) => {
    const holder = stack.browser();
    if (caller === "holder") await createdOrder(holder);
    const reply = await callAs(caller, route, absent(), holder);
    expect(reply.status).toBe(answerAboutAbsent(route, caller));
  });

  test.each(["variants", "status", "submit", "cancel"])(
    "says the same of an unknown order: %s",
    async (call) => {
      const browser = stack.browser();
      const order = await createdOrder(browser);
      const body = call === "variants" ? variantBody() : { status: "Processing" };
      const unknown = await browser.post(`/api/orders/${randomUUID()}/${call}`, body);
      const anothers = await stack.browser().post(`/api/orders/${order.id}/${call}`, body);
      const { requestId: _a, ...first } = unknown.body;
      const { requestId: _b, ...second } = anothers.body;
      expect(unknown.status).toBe(404);
      expect(first).toEqual(second);
    },
  );

  test("is what an id is that is none", async () => {
    const headers = { Authorization: `Bearer ${await stack.token("staff")}` };
    for (const path of [
      "/api/orders/not-an-id",
      "/api/admin/orders/not-a-number",
      "/api/admin/customers/nobody",
    ])
      expect((await stack.browser().get(path, headers)).status, path).toBe(404);
  });
});
