import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMemoryEventStore } from "../../../testing/event-store/memory-event-store.ts";
import {
  type HoldToDocument,
  holdToDocument,
  type SeenAnswer,
} from "../../../testing/gateway/documented-answers-fixture.ts";
import { startTestGateway, type TestGateway } from "../../../testing/gateway/gateway-fixture.ts";
import { type Reply, TestBrowser } from "../../../testing/gateway/test-browser.ts";
import { noOrders } from "../../../testing/projections/read-model-fixture.ts";
import { createMemoryVault } from "../../../testing/vault/memory-vault.ts";

let gateway: TestGateway;
let reply: Reply;
let hold: HoldToDocument;
beforeAll(async () => {
  gateway = await startTestGateway({
    store: createMemoryEventStore(),
    vault: createMemoryVault(),
    queries: noOrders,
    waitFor: async () => true,
  });
  reply = await new TestBrowser(gateway.url).get("/api/docs/openapi.json");
  hold = holdToDocument(reply.body);
});
afterAll(() => gateway.close());

type Operation = { operationId: string; summary: string; "x-roles"?: string[]; responses: object };

const operations = (): { route: string; operation: Operation }[] =>
  Object.entries<Record<string, Operation>>(reply.body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );

// First, because it asks the gateway: after seconds of checking a document, a connection kept open is gone.
describe("The page of the document", () => {
  const get = (path: string) => new TestBrowser(gateway.url).get(path);

  test("runs no script and loads nothing but ours, and nothing inline", async () => {
    const page = await get("/api/docs");
    const policy = page.headers.get("Content-Security-Policy") ?? "";
    expect(page.status).toBe(200);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:/);
    expect(page.body).not.toMatch(/<script>|<style| style=| on\w+=/);
    const files = [...String(page.body).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = ""]) => file);
    // The site's own mark is a page's, which this gateway was given none of.
    const own = files.filter((file) => file !== "/favicon.svg");
    expect(own).toHaveLength(5);
    for (const file of own) {
      expect(file).toMatch(/^\/api\/docs\//);
      expect((await get(file)).status, file).toBe(200);
    }
  });

  test("asks no validator elsewhere, and sends no request", async () => {
    const script = String((await get("/api/docs/page.js")).body);
    expect(script).toContain("validatorUrl: null");
    expect(script).toContain("supportedSubmitMethods: []");
  });

  test.each(["package.json", "..%2Fgateway.ts", "constructor"])("has no file %s", async (name) => {
    expect((await get(`/api/docs/${name}`)).status).toBe(404);
  });
});

describe("The API's document", () => {
  test("is OpenAPI 3.1 by its own schema, and each of its references leads somewhere", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(reply.body));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe("3.1");
    const named = new Set(Object.keys(reply.body.components.schemas));
    const references = JSON.stringify(reply.body).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
    for (const [, name = ""] of references) expect(named).toContain(name);
  });

  test("has each route of the table as one operation, and no other", () => {
    const declared = gateway.routes.map(({ request: { method, path } }) => `${method} ${path}`);
    expect(
      operations()
        .map(({ route }) => route)
        .sort(),
    ).toEqual(declared.sort());
  });

  test("calls every operation by a name of its own, and says what it is", () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { operation } of operations()) expect(operation.summary).toMatch(/^[A-Z].{3,}[^.]$/);
  });

  test("names the roles that the table names", () => {
    const roles = new Map(operations().map(({ route, operation }) => [route, operation["x-roles"]]));
    for (const {
      request: { method, path, from },
    } of gateway.routes)
      expect(roles.get(`${method} ${path}`), path).toEqual(typeof from === "string" ? undefined : from);
  });

  test("holds nothing of this installation but its address", () => {
    expect(JSON.stringify(reply.body)).not.toMatch(/pk_test|PUBLIC KEY|secret":/);
    expect(reply.body.servers).toEqual([{ url: "http://localhost:3000" }]);
  });
});

describe("An answer that the document does not allow is found:", () => {
  const good: SeenAnswer = {
    method: "POST",
    pattern: "/api/orders/:id/cancel",
    status: 200,
    contentType: "application/json",
    requestId: "a-request",
    body: JSON.stringify({
      id: "00000000-0000-4000-8000-000000000000",
      orderNumber: "0000-0000-00001",
      status: "Cancelled",
    }),
  };
  const refusal = {
    type: "about:blank",
    title: "This does not exist, or you have no access to it here.",
    status: 404,
    code: "not-found",
    requestId: "a-request",
  };
  const refused: SeenAnswer = {
    ...good,
    status: 404,
    contentType: "application/problem+json",
    body: JSON.stringify(refusal),
  };

  test("none among those that it allows", () => {
    expect([hold(good), hold(refused)]).toEqual([undefined, undefined]);
  });

  test.each<[string, SeenAnswer]>([
    ["a status", { ...good, status: 418 }],
    ["a type", { ...good, contentType: "text/html" }],
    ["a field that is missing", { ...good, body: '{"status":"Cancelled"}' }],
    ["a field too many", { ...good, body: good.body.replace("{", '{"email":"sian@post.example",') }],
    ["a value", { ...good, body: good.body.replace("Cancelled", "Lost") }],
    ["a code of another status", { ...refused, body: JSON.stringify({ ...refusal, code: "not-allowed" }) }],
    ["a problem of no route", { ...refused, pattern: undefined, status: 500 }],
    ["no id of the request", { ...good, requestId: undefined }],
  ])("%s", (_what, answer) => {
    expect(hold(answer)).toBeTypeOf("string");
  });
});
