import * as z from "zod/mini";
import {
  type ApiRequest,
  type ProblemCode,
  problemStatuses,
  type Schema,
} from "../../../contract/request.ts";
import { receiptShown } from "../../../contract/shapes.ts";
import { entriesShown } from "../../../contract/staff-orders/order-page.ts";
import type { Json, JsonObject } from "../../../infra/json.ts";
import type { Route } from "../route.ts";

const components = "#/components/schemas/";

/** Converts zod schemas to the document's, and collects the named ones. */
export type Shapes = {
  /** Schema of a request: before defaults and transformations. */
  sent(schema: Schema): JsonObject;
  /** Schema of an answer. */
  answered(schema: Schema): JsonObject;
  /** The named schemas so far. */
  named(): Readonly<Record<string, JsonObject>>;
};

type Draft = Record<string, unknown>;

/** Formats that make their pattern redundant. */
const selfExplaining = new Set(["date", "date-time", "uuid", "email"]);

/** Removes noise: patterns implied by a format, and the default bounds of integers. */
function shorten({ jsonSchema }: { jsonSchema: Draft }): void {
  if (typeof jsonSchema.format === "string" && selfExplaining.has(jsonSchema.format))
    delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

export function createShapes(): Shapes {
  const kept = new Map<string, JsonObject>();

  function shapeOf(schema: Schema, io: "input" | "output"): JsonObject {
    const made = z.toJSONSchema(schema, { io, unrepresentable: "any", override: shorten });
    // A named schema appears among the definitions, and as a reference to them.
    const moved: JsonObject = JSON.parse(JSON.stringify(made).replaceAll('"#/$defs/', `"${components}`));
    const { $schema: _dialect, $defs, id: _id, ...shape } = moved;
    for (const [name, { id: _, ...definition }] of Object.entries(definitionsIn($defs)))
      kept.set(name, definition);
    return shape;
  }

  return {
    sent: (schema) => shapeOf(schema, "input"),
    answered: (schema) => shapeOf(schema, "output"),
    named: () => Object.fromEntries([...kept].sort(([one], [other]) => one.localeCompare(other))),
  };
}

const definitions = z.optional(z.record(z.string(), z.record(z.string(), z.json())));

const definitionsIn = (found: unknown): Readonly<Record<string, JsonObject>> =>
  definitions.parse(found) ?? {};

const inPath: Readonly<Record<string, JsonObject>> = {
  id: { description: "A UUID", schema: { type: "string", format: "uuid" } },
  orderNumber: {
    description: "In any form: case, spaces and dashes are ignored",
    schema: { type: "string" },
  },
  ticketNumber: {
    description: "With its `T-`; case, spaces and dashes are ignored",
    schema: { type: "string" },
  },
  messageId: { description: "Of a message in a conversation", schema: { type: "string", format: "uuid" } },
  place: {
    description: "A file’s place among those of its message, from 0",
    schema: { type: "integer", minimum: 0 },
  },
  tile: {
    description:
      "`<L>/<N>` or `<L>/<N>.p/<W>`: level, number in groups of three digits, width; slashes as they are",
    schema: { type: "string" },
  },
  service: { description: "A certificate, such as `birth-certificate`", schema: { type: "string" } },
};

const inHeader = {
  idempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description: "Makes it safe to repeat the request, for example a UUID",
    schema: { type: "string", pattern: "^[\\w.:-]{16,128}$" },
  },
  readAfter: {
    name: "Read-After",
    in: "header",
    description: "The newest `Position` the caller knows; the answer waits for it, at most one second",
    schema: { type: "string", maxLength: 80 },
  },
} as const;

/** Path, query and header parameters. */
export function parametersOf(route: Route, shapes: Shapes): readonly JsonObject[] {
  const { method, path, from, limit, asks } = route.request;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return [
    ...names.map((name) => ({ name, in: "path", required: true, ...inPath[name] })),
    ...(asks === "query" ? queryParameters(route.asked(), shapes) : []),
    ...(from === "provider" || method === "GET" ? [] : [inHeader.idempotencyKey]),
    ...(from === "provider" || limit === "commands" ? [] : [inHeader.readAfter]),
  ];
}

/** One parameter for each member of a query's schema, including each member of any alternative. */
function queryParameters(query: Schema, shapes: Shapes): JsonObject[] {
  const shape = shapes.sent(query);
  const alternatives = Array.isArray(shape.oneOf) ? shape.oneOf.filter(isObject) : [shape];
  const names = new Set(alternatives.flatMap((one) => Object.keys(membersOf(one))));
  return [...names].map((name) => {
    const schemas = alternatives.flatMap((one) => membersOf(one)[name] ?? []);
    const required = alternatives.every((one) => Array.isArray(one.required) && one.required.includes(name));
    return { name, in: "query", ...(required && { required }), schema: either(schemas) };
  });
}

const isObject = (json: Json): json is JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json);

function membersOf({ properties }: JsonObject): JsonObject {
  return properties !== undefined && isObject(properties) ? properties : {};
}

/** `anyOf` without duplicates. */
function either(schemas: readonly Json[]): Json {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only] = different;
  return different.length === 1 && only !== undefined ? only : { anyOf: different };
}

const phase = z.nullish(z.string());
const rule = z.nullish(z.string());
const fieldErrors = z.record(z.string(), z.string());

/** Members of a problem beyond those that every problem has. */
const members: Partial<Readonly<Record<ProblemCode, Readonly<Record<string, Schema>>>>> = {
  "invalid-fields": { errors: fieldErrors },
  "forbidden-in-phase": { phase, rule },
  "changed-meanwhile": { revision: z.nullish(z.int()), since: z.optional(entriesShown) },
  "wrong-amount": { phase, rule, needsNewOrder: z.boolean(), totalAmount: z.optional(z.number()) },
  "impossible-quote": {
    unitPrices: z.object({ standard: z.optional(z.number()), priority: z.optional(z.number()) }),
    errors: fieldErrors,
  },
  "setting-refused": { rule, details: z.record(z.string(), z.unknown()) },
  "payment-not-received": { phase, rule },
  "personal-data-destroyed": {
    dataClass: z.optional(z.string()),
    receipt: z.nullish(receiptShown),
  },
};

/** Names the schema for code generators: `too-many-requests` becomes `TooManyRequestsProblem`. */
const nameOf = (code: ProblemCode): string =>
  `${code.replace(/(^|-)(\w)/g, (_whole, _dash, letter: string) => letter.toUpperCase())}Problem`;

const bodyOf = (code: ProblemCode): Schema =>
  z
    .object({
      ...members[code],
      type: z.literal("about:blank"),
      title: z.string(),
      status: z.literal(problemStatuses[code]),
      code: z.literal(code),
      requestId: z.string(),
    })
    .register(z.globalRegistry, { title: nameOf(code) });

/** Schemas of all problems, by name. */
export function problemSchemas(shapes: Shapes): Readonly<Record<string, JsonObject>> {
  const codes = Object.keys(problemStatuses).filter(isCode);
  return Object.fromEntries(codes.map((code) => [nameOf(code), shapes.answered(bodyOf(code))]));
}

const isCode = (name: string): name is ProblemCode => Object.hasOwn(problemStatuses, name);

/** Any route may answer these. */
const always: readonly ProblemCode[] = [
  "malformed-request",
  "record-unreadable",
  "too-many-requests",
  "internal-error",
  "unavailable",
];
const ofPost: readonly ProblemCode[] = ["foreign-origin", "body-too-large", "unsupported-media-type", "busy"];
const ofNotice: readonly ProblemCode[] = [
  "signature-refused",
  "body-too-large",
  "unsupported-media-type",
  "busy",
];

/** All codes a route may answer: from its kind, its parameters and its own rules. */
function refusalsOf({ method, from, asks, refuses }: ApiRequest): readonly ProblemCode[] {
  const codes = new Set<ProblemCode>([...always, ...refuses]);
  const add = (more: readonly ProblemCode[]) => more.forEach((code) => void codes.add(code));
  if (from === "provider") add(ofNotice);
  else {
    if (method === "POST") add(ofPost);
    if (asks !== "nothing") add(["invalid-fields"]);
  }
  if (from === "holder") add(["not-found"]);
  if (from === "signed-in" || typeof from !== "string") add(["sign-in-required"]);
  if (typeof from !== "string") add(["not-allowed"]);
  return [...codes];
}

/** A route's refusals, by status. */
export function refusalResponses(request: ApiRequest): Readonly<Record<string, JsonObject>> {
  const byStatus = Map.groupBy(refusalsOf(request), (code) => problemStatuses[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [String(status), responseOf(status, codes)]),
  );
}

function responseOf(status: number, codes: readonly ProblemCode[]): JsonObject {
  const refs = codes.map((code) => ({ $ref: `#/components/schemas/${nameOf(code)}` }));
  const [only] = refs;
  return {
    description: codes.map((code) => `\`${code}\``).join(", "),
    headers: { "Request-Id": { $ref: "#/components/headers/Request-Id" }, ...extraHeaders(status) },
    content: {
      "application/problem+json": { schema: refs.length === 1 && only ? only : { oneOf: refs } },
    },
  };
}

function extraHeaders(status: number): JsonObject {
  if (status === 401) return { "WWW-Authenticate": { $ref: "#/components/headers/WWW-Authenticate" } };
  const mayWait = status === 429 || status === 503 || status === 409;
  return mayWait ? { "Retry-After": { $ref: "#/components/headers/Retry-After" } } : {};
}
