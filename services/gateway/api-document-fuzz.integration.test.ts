import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../infra/json.ts";
import { type CallerName, callers, roles } from "../../testing/gateway/access-rows-fixture.ts";
import { type MadeRequest, requestsTo } from "../../testing/gateway/api-requests-fixture.ts";
import { ticketBody } from "../../testing/gateway/request-bodies-fixture.ts";
import { pricedOrder, startTestStack, type TestStack } from "../../testing/gateway/stack-fixture.ts";
import type { Reply, TestBrowser } from "../../testing/gateway/test-browser.ts";
import { ticketRequest } from "../../testing/services/ticket-fixture.ts";
import { openTicket } from "../tickets/write-in-ticket.ts";

/** The same in every run: what fails fails again. */
const seed = 20_261_121;
const requestsEach = 2;

let stack: TestStack;
let operations: [route: string, operation: JsonObject][];
let subjects: { order: { id: string; orderNumber: string }; ticketNumber: string; customerId: string };
let holder: TestBrowser;

beforeAll(async () => {
  stack = await startTestStack();
  holder = stack.browser();
  const { body } = await holder.get("/api/docs/openapi.json");
  operations = Object.entries<Record<string, JsonObject>>(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, JsonObject] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
  const email = `${randomUUID()}@mail.example`;
  const { ticket } = await openTicket(stack.deps, ticketRequest({ email }), null, undefined, "a-request");
  await stack.makeFindable(ticket.ticketId);
  const headers = { Authorization: `Bearer ${await stack.token("staff")}` };
  const found = await holder.post("/api/admin/customers/search", { by: "email", typed: email }, headers);
  subjects = {
    order: await pricedOrder(holder),
    ticketNumber: (await holder.post("/api/tickets", ticketBody())).body.ticketNumber,
    customerId: found.body.customers[0].id,
  };
});
// The gateway holds each of these answers to the document, as it does in every test: see its fixture.
afterAll(() => stack.close());

/** Addresses of what is there, of what is not, and of what could not be. */
function pathOf(pattern: string, name: number): string {
  const { order, ticketNumber, customerId } = subjects;
  const inPath: Record<string, string> = {
    id: pattern.includes("/customers/") ? customerId : order.id,
    orderNumber: order.orderNumber,
    ticketNumber,
    service: "birth-certificate",
    tile: "0/x001/000.p/2",
  };
  const absent = [randomUUID(), "0000-0000-00001", "%00", "..%2f"];
  return pattern.replace(/\{(\w+)\}/g, (_whole, parameter: string) =>
    name < 12 ? (inPath[parameter] ?? "") : (absent[name - 12] ?? ""),
  );
}

async function send(route: string, caller: CallerName, made: MadeRequest, name: number): Promise<Reply> {
  const [method = "", pattern = ""] = route.split(" ");
  const browser = caller === "holder" ? holder : stack.browser();
  const isSignedIn = ["customer", "staff", "manager", "compliance"].includes(caller);
  const username = `caller-${randomUUID()}`;
  const headers = {
    ...made.headers,
    ...(isSignedIn && { Authorization: `Bearer ${await stack.token(roles[caller], username)}` }),
  };
  const path = pathOf(pattern, name);
  return method === "GET"
    ? browser.get(path + made.query, headers)
    : browser.post(path, aboutTheOrder(route, made.body), headers);
}

/** The one route that names its order in the body. */
const aboutTheOrder = (route: string, body: unknown): unknown =>
  route.endsWith("/create-payment-intent") && typeof body === "object"
    ? { ...body, orderId: subjects.order.id }
    : body;

const statuses = new Map<number, number>();
const patienceMs = 120_000;

test.each([
  ["of the public", /^\/api\/(?!admin\/)/],
  ["about orders in the back office", /^\/api\/admin\/orders/],
  ["of the rest of the back office", /^\/api\/admin\/(?!orders)/],
])(
  "No request %s that the document allows, or nearly, ends in a fault, and none that is refused writes anything",
  async (_which, paths) => {
    const tried = fc.tuple(fc.constantFrom(...callers), fc.integer({ min: 0, max: 15 }));
    for (const [route, operation] of operations.filter(([route]) => paths.test(route.split(" ")[1] ?? ""))) {
      const runs = fc.sample(fc.tuple(requestsTo(operation), tried), {
        seed,
        numRuns: requestsEach * callers.length,
      });
      for (const [made, [caller, name]] of runs) {
        const before = await stack.store.head();
        const { status, body } = await send(route, caller, made, name);
        const description = `${route} as ${caller}: ${JSON.stringify(made)} → ${status} ${JSON.stringify(body)}`;
        expect(status, description).toBeLessThan(500);
        if (status >= 400) expect(await stack.store.head(), description).toBe(before);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }
  },
  patienceMs,
);

test("These requests reach the rules, and not only the guards", () => {
  const reached = [200, 201, 400, 401, 403, 404, 409, 422].filter((status) => statuses.has(status));
  expect(reached).toEqual([200, 201, 400, 401, 403, 404, 409, 422]);
});
