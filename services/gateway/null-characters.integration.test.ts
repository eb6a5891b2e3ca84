import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../infra/json.ts";
import { accessRows } from "../../testing/gateway/access-rows-fixture.ts";
import {
  type Ordered,
  pricedOrder,
  startTestStack,
  type TestStack,
} from "../../testing/gateway/stack-fixture.ts";
import type { TestBrowser } from "../../testing/gateway/test-browser.ts";

let stack: TestStack;
let holder: TestBrowser;
let order: Ordered;
let operations: [route: string, operation: JsonObject][];

beforeAll(async () => {
  stack = await startTestStack();
  holder = stack.browser();
  order = await pricedOrder(holder);
  const { body } = await holder.get("/api/docs/openapi.json");
  operations = Object.entries<Record<string, JsonObject>>(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, JsonObject] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
});
afterAll(() => stack.close());

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** The same with a null character in one text after the other. */
function spoilt(value: unknown): unknown[] {
  if (typeof value === "string") return [`${value}\0`];
  if (Array.isArray(value))
    return value.flatMap((each, at) => spoilt(each).map((bad) => value.with(at, bad)));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    spoilt(each).map((bad) => ({ ...value, [name]: bad })),
  );
}

const addressOf = (pattern: string, absent: string): string =>
  pattern.replace(
    /\{(\w+)\}/g,
    (_whole, name: string) =>
      absent || (name === "id" ? order.id : name === "orderNumber" ? order.orderNumber : "x"),
  );

async function statusOf(method: string, path: string, body?: unknown): Promise<number> {
  const headers = { Authorization: `Bearer ${await stack.token("manager", `caller-${randomUUID()}`)}` };
  const reply = method === "GET" ? await holder.get(path, headers) : await holder.post(path, body, headers);
  return reply.status;
}

test("A null character in a path, a query or a body is refused by every route, and writes nothing", async () => {
  const wrong: string[] = [];
  const refused = { path: 0, query: 0, body: 0 };
  const expectRefusal = async (what: keyof typeof refused, route: string, path: string, body?: unknown) => {
    const before = await stack.store.head();
    const status = await statusOf(route.split(" ")[0] ?? "", path, body);
    if ([400, 403, 404, 409, 422].includes(status) && (await stack.store.head()) === before)
      refused[what] += 1;
    else wrong.push(`${what} of ${route}: ${status} ${JSON.stringify(body)}`);
  };
  for (const [route, operation] of operations) {
    const pattern = route.split(" ")[1] ?? "";
    const body = accessRows[route]?.body?.(order);
    if (pattern.includes("{")) await expectRefusal("path", route, addressOf(pattern, "x%00y"), body);
    const parameters = Array.isArray(operation.parameters) ? operation.parameters : [];
    for (const parameter of parameters)
      if (isObject(parameter) && "in" in parameter && parameter.in === "query" && "name" in parameter)
        await expectRefusal("query", route, `${addressOf(pattern, "")}?${parameter.name}=x%00y`);
    for (const bad of spoilt(body)) await expectRefusal("body", route, addressOf(pattern, ""), bad);
  }
  expect(wrong).toEqual([]);
  expect(Math.min(...Object.values(refused))).toBeGreaterThan(30);
});
