import type { ApiRequest, Schema, Sender, Success } from "../../../contract/request.ts";
import type { Json, JsonObject } from "../../../infra/json.ts";
import type { Route } from "../routing/route.ts";
import { parametersOf } from "./api-document-parameters.ts";
import { problemSchemas, refusalResponses } from "./api-document-refusals.ts";
import { createShapes, type Shapes } from "./api-document-shapes.ts";

/** To be raised when something changes that a client may rely on. */
const apiVersion = "1.0.0";

/**
 * The API as OpenAPI 3.1, made from the contract of each route. Nothing in it is described twice: what is not true of the code cannot be said here.
 * @param publicUrl without a trailing slash: what clients call us
 */
export function apiDocument(routes: readonly Route[], publicUrl: string): JsonObject {
  const shapes = createShapes();
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const route of routes) {
    const { method, path } = route.request;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(route, shapes) };
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
    tags: [...new Set(routes.map(({ request }) => tagOf(request)))].map((name) => ({ name })),
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
  const { request } = route;
  const { method, from, summary, answers } = request;
  const content = contentOf(answers, shapes);
  return {
    operationId: operationIdOf(request),
    tags: [tagOf(request)],
    summary,
    description: whoMay(from),
    security: securityOf(request),
    ...(typeof from !== "string" && { "x-roles": [...from] }),
    parameters: parametersOf(route, shapes),
    ...requestBodyOf(route, shapes),
    responses: {
      [answers.status]: {
        description: answers.status === 204 ? "Done" : "Done: what was asked for",
        headers: {
          "Request-Id": header("Request-Id"),
          ...(method === "POST" ? { Position: header("Position") } : { Stale: header("Stale") }),
        },
        ...(content && { content }),
      },
      ...refusalResponses(request),
    },
  };
}

const header = (name: string): JsonObject => ({ $ref: `#/components/headers/${name}` });

/** `getOrdersByIdContact`, of the method and the path: unique because they are. */
function operationIdOf({ method, path }: Pick<ApiRequest, "method" | "path">): string {
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

function tagOf({ path }: Pick<ApiRequest, "path">): string {
  const [, , first = "", second = ""] = path.split("/");
  return first === "admin" ? `Back office: ${second.replace(/\..*/, "")}` : (sections[first] ?? first);
}

function whoMay(from: Sender): string {
  if (from === "anyone") return "For anybody.";
  if (from === "holder")
    return "For whoever holds the order, and for staff. To everybody else there is no such order.";
  if (from === "signed-in") return "For whoever is signed in.";
  if (from === "provider") return "For the provider alone, by its signature over the bytes of the body.";
  return `For these roles: ${from.join(", ")}.`;
}

function securityOf({ from, path }: ApiRequest): Json {
  if (from === "anyone") return [];
  if (from === "holder") return [{ orderCookie: [] }, { session: [] }];
  if (from === "provider") return [{ [path.endsWith("/stripe") ? "stripeSignature" : "groSignature"]: [] }];
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

function requestBodyOf({ request: { from, asks }, asked }: Route, shapes: Shapes): JsonObject {
  if (asks !== "body") return {};
  return {
    requestBody: {
      required: true,
      ...(from === "provider" && { description: "Read from the very bytes that were signed" }),
      content: { "application/json": { schema: shapes.sent(asked()) } },
    },
  };
}

/** A success by its Content-Type. Media that is not JSON is text or bytes; what JSON it holds is said in words. */
function contentOf(answers: Success, shapes: Shapes): JsonObject | undefined {
  switch (answers.kind) {
    case "nothing":
      return undefined;
    case "json":
      return { "application/json": { schema: shapes.answered(answers.schema) } };
    case "file":
      return Object.fromEntries(
        answers.types.map((type) => [type, fileShown(type, answers.contents, shapes)]),
      );
    case "stream": {
      const { type, description, data } = answers;
      const name = data && shapes.answered(data).$ref;
      return {
        [type]: textOf(name ? `${description}. Each event's data is JSON: ${String(name)}` : description),
      };
    }
    default:
      return answers satisfies never;
  }
}

function fileShown(type: string, contents: Schema | null, shapes: Shapes): JsonObject {
  if (type !== "application/json") return textOf("A file, as an attachment");
  return { schema: contents ? shapes.answered(contents) : {} };
}

const textOf = (description: string): JsonObject => ({ schema: { type: "string", description } });
