import type { Schema } from "../../../contract/request.ts";
import type { Json, JsonObject } from "../../../infra/json.ts";
import type { Route } from "../routing/route.ts";
import type { Shapes } from "./api-document-shapes.ts";

const inPath: Readonly<Record<string, JsonObject>> = {
  id: { description: "A UUID", schema: { type: "string", format: "uuid" } },
  orderNumber: {
    description: "As somebody typed it: case, spaces and dashes do not matter",
    schema: { type: "string" },
  },
  ticketNumber: { description: "As somebody typed it, with its `T-`", schema: { type: "string" } },
  service: { description: "`birth-certificate` and so on", schema: { type: "string" } },
};

const inHeader = {
  idempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description: "Makes a repeat of this request safe; a UUID does",
    schema: { type: "string", pattern: "^[\\w.:-]{16,128}$" },
  },
  readAfter: {
    name: "Read-After",
    in: "header",
    description: "The newest `Position` the caller knows: the answer waits for it, at most a second",
    schema: { type: "string", maxLength: 80 },
  },
} as const;

/** What a request says beside its body: in its path, its query and its headers. */
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

/** One parameter for each member of a query's schema; of alternatives, for each member of any. */
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

/** One of several shapes; the same shape is told once. */
function either(schemas: readonly Json[]): Json {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only] = different;
  return different.length === 1 && only !== undefined ? only : { anyOf: different };
}
