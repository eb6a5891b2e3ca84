import { z } from "zod";
import type { Schema } from "../../../contract/request.ts";
import type { Json, JsonObject } from "../../../infra/json.ts";
import type { Route } from "../routing/route.ts";

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

const definitions = z.record(z.string(), z.record(z.string(), z.json())).optional();

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
