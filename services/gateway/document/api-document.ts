import type { ApiRequest, Schema, Sender, Success } from "../../../contract/request.ts";
import type { Json, JsonObject } from "../../../infra/json.ts";
import type { Route } from "../route.ts";
import {
  createShapes,
  parametersOf,
  problemSchemas,
  refusalResponses,
  type Shapes,
} from "./api-document-shapes.ts";

/** Raised when something changes that clients may rely on. */
const apiVersion = "1.0.0";

/**
 * The API as OpenAPI 3.1, derived from each route's contract.
 * @param publicUrl without a trailing slash
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
  "Order copies of certificates, follow an order, contact us; and the back office.",
  "An order is for one certificate, in one or more copies. It is paid for alone, or with others by a checkout.",
  "Every refusal is Problem Details (RFC 9457) with a stable `code`: rely on the code, never on the wording.",
  "A command answers with the `Position` it wrote; a read that sends it as `Read-After` sees that write, or answers `Stale: true`.",
  "A command repeated with the same `Idempotency-Key` and body is carried out once and answered as before.",
  "Money is in pounds in fields named `total` or `amount`, or ending in `Amount` or `Price`, and in integer pence in fields ending in `Pence`. Times are ISO 8601 in UTC.",
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
        description: answers.status === 204 ? "Done, without content" : "Success",
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

/** From method and path, which are unique together: `getOrdersByIdContact`. */
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
  checkouts: "Orders",
  drafts: "Saved orders",
  tickets: "Conversations",
  me: "Who is signed in",
  webhooks: "Webhooks from providers",
};

function tagOf({ path }: Pick<ApiRequest, "path">): string {
  if (path.startsWith("/transparency/")) return "Transparency log";
  const [, , first = "", second = ""] = path.split("/");
  return first === "admin" ? `Back office: ${second.replace(/\..*/, "")}` : (sections[first] ?? first);
}

function whoMay(from: Sender): string {
  if (from === "anyone") return "Open to anyone.";
  if (from === "holder")
    return "For the order's holder and for staff. All other callers get 404, as if there were no such order.";
  if (from === "signed-in") return "For any signed-in user.";
  if (from === "provider") return "For the provider only, which signs the bytes of the body.";
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
      "Set by POST /api/orders and POST /api/orders/access: one cookie per order, named after its id. Over https the name begins with `__Host-`.",
  },
  session: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "A session of the identity provider. Staff permissions depend on the role.",
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
  "Request-Id": text("Identifies the request in our logs and events"),
  Position: text("The log position after this write; opaque, to be sent back as `Read-After`"),
  Stale: text("`true` when the answer does not yet include what `Read-After` names", "^true$"),
  "Retry-After": text("Seconds to wait before sending the request again", "^\\d+$"),
  "WWW-Authenticate": text("How to sign in"),
};

function requestBodyOf({ request: { from, asks }, asked }: Route, shapes: Shapes): JsonObject {
  if (asks !== "body") return {};
  return {
    requestBody: {
      required: true,
      ...(from === "provider" && { description: "Parsed from exactly the bytes that were signed" }),
      content: { "application/json": { schema: shapes.sent(asked()) } },
    },
  };
}

/** A success by Content-Type. Other media than JSON is text or bytes; a description names the JSON inside it. */
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
    case "published":
      return { [answers.type]: textOf("The same for everyone, and may be cached") };
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
