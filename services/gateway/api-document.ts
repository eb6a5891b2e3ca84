import type { Json, JsonObject } from "../../infra/json.ts";
import type { Content } from "./answers.ts";
import { parametersOf } from "./api-document-parameters.ts";
import { problemSchemas, refusalResponses } from "./api-document-refusals.ts";
import { createShapes, type Shapes } from "./api-document-shapes.ts";
import { noBody, type Route, type Who } from "./route.ts";

/** To be raised when something changes that a client may rely on. */
const apiVersion = "1.0.0";

/**
 * The API as OpenAPI 3.1, made from the table of routes and the schemas that requests are read by and answers are typed by. Nothing in
 * it is described twice: what is not true of the code cannot be said here.
 * @param publicUrl without a trailing slash: what clients call us
 */
export function apiDocument(routes: readonly Route[], publicUrl: string): JsonObject {
  const shapes = createShapes();
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route, shapes) };
  }
  const problems = problemSchemas(shapes);
  return {
    openapi: "3.1.1",
    info: {
      title: "Kith & Copy",
      version: apiVersion,
      description: introduction,
    },
    servers: [{ url: publicUrl }],
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...shapes.named(), ...problems },
      headers,
      securitySchemes,
    },
  };
}

const introduction = [
  "Order copies of certificates, follow an order, write to us; and the back office.",
  "Every refusal is Problem Details (RFC 9457) with a stable `code`: decide by it, never by the words.",
  "A command answers with the `Position` it wrote; a read that carries it as `Read-After` sees what was written, or says `Stale: true`.",
  "A command that is repeated with the same `Idempotency-Key` and body is done once, and answered as before.",
  "Money is in pounds where a field ends with `Amount` or `Price`, or is called `total` or `amount`, and in integer pence where it ends with `Pence`. Moments are ISO 8601 in UTC.",
].join("\n\n");

function operationOf(route: Route, shapes: Shapes): JsonObject {
  const { method, told, who } = route;
  const { answers } = told;
  return {
    operationId: operationIdOf(route),
    tags: [tagOf(route)],
    summary: told.summary,
    description: whoMay(who),
    security: securityOf(route),
    ...(Array.isArray(who) && { "x-roles": [...who] }),
    parameters: parametersOf(route, shapes),
    ...requestBodyOf(route, shapes),
    responses: {
      [answers.status]: {
        description: answers.status === 204 ? "Done" : "Done: what was asked for",
        headers: {
          "Request-Id": header("Request-Id"),
          ...(method === "POST" ? { Position: header("Position") } : { Stale: header("Stale") }),
        },
        ...(answers.contents.length > 0 && {
          content: Object.fromEntries(
            answers.contents.map((content) => [content.type, contentOf(content, shapes)]),
          ),
        }),
      },
      ...refusalResponses(route),
    },
  };
}

const header = (name: string): JsonObject => ({ $ref: `#/components/headers/${name}` });

/** `getOrdersByIdContact`, of the method and the path: unique because they are. */
function operationIdOf({ method, path }: Pick<Route, "method" | "path">): string {
  const words = path
    .replace(/^\/api\//, "")
    .replace(/\{(\w+)\}/g, "by-$1")
    .split(/[^A-Za-z]+/);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

const sections: Readonly<Record<string, string>> = {
  config: "Prices and the site",
  pricing: "Prices and the site",
  orders: "Orders",
  "create-payment-intent": "Orders",
  tickets: "Conversations",
  me: "Who is signed in",
  webhooks: "Notices of providers",
};

function tagOf({ path }: Pick<Route, "path">): string {
  const [, , first = "", second = ""] = path.split("/");
  return first === "admin" ? `Back office: ${second.replace(/\..*/, "")}` : (sections[first] ?? first);
}

function whoMay(who: Who): string {
  if (who === "anyone") return "For anybody.";
  if (who === "holder")
    return "For whoever holds the order, and for staff. To everybody else there is no such order.";
  if (who === "signed-in") return "For whoever is signed in.";
  if (who === "provider") return "For the provider alone, by its signature over the bytes of the body.";
  return `For these roles: ${who.join(", ")}.`;
}

function securityOf({ who, path }: Route): Json {
  if (who === "anyone") return [];
  if (who === "holder") return [{ orderCookie: [] }, { session: [] }];
  if (who === "provider") return [{ [path.endsWith("/stripe") ? "stripeSignature" : "groSignature"]: [] }];
  return [{ session: [] }];
}

const securitySchemes: JsonObject = {
  orderCookie: {
    type: "apiKey",
    in: "cookie",
    name: "order-{id}",
    description:
      "Set by POST /api/orders and POST /api/orders/access, one for each order and named by its id; behind https its name begins with `__Host-`.",
  },
  session: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "A session of the identity provider. What staff may do is decided by their role.",
  },
  stripeSignature: { type: "apiKey", in: "header", name: "Stripe-Signature" },
  groSignature: {
    type: "apiKey",
    in: "header",
    name: "webhook-signature",
    description: "As in the Standard Webhooks specification, with webhook-id and webhook-timestamp",
  },
};

const text = (description: string, pattern?: string): JsonObject => ({
  description,
  schema: { type: "string", ...(pattern !== undefined && { pattern }) },
});

const headers: JsonObject = {
  "Request-Id": text("Ours, under which the request is logged and remembered in events"),
  Position: text("Where the log stood after what was written; opaque, sent back as `Read-After`"),
  Stale: text("`true` when the answer does not hold yet what `Read-After` named", "^true$"),
  "Retry-After": text("Seconds to wait before the same request may be sent again", "^\\d+$"),
  "WWW-Authenticate": text("How to sign in"),
};

function requestBodyOf({ method, who, told }: Route, shapes: Shapes): JsonObject {
  if (method !== "POST" || "query" in told || told.body === noBody) return {};
  const schema = typeof told.body === "function" ? told.body() : told.body;
  return {
    requestBody: {
      required: true,
      ...(who === "provider" && { description: "Read from the very bytes that were signed" }),
      content: { "application/json": { schema: shapes.sent(schema) } },
    },
  };
}

/** Media that is not JSON is text or bytes; what its schema would say of JSON inside is said in words. */
function contentOf({ type, schema, description }: Content, shapes: Shapes): JsonObject {
  if (type === "application/json") return { schema: schema ? shapes.answered(schema) : {} };
  const data = schema && shapes.answered(schema).$ref;
  const words = [description, data && `Each event's data is JSON: ${String(data)}`]
    .filter(Boolean)
    .join(". ");
  return { schema: { type: "string", ...(words && { description: words }) } };
}
