import fc from "fast-check";
import type { Json, JsonObject } from "../../infra/json.ts";

/** Values generated from the OpenAPI document: mostly valid, sometimes arbitrary. */

type Noise = { readonly weight: number };

const isObject = (json: unknown): json is JsonObject =>
  typeof json === "object" && json !== null && !Array.isArray(json);

const listOf = (json: Json | undefined): readonly Json[] => (Array.isArray(json) ? json : []);
const numberIn = (json: Json | undefined): number | undefined =>
  typeof json === "number" ? json : undefined;

/** Text that often breaks software. */
const strange = fc.constantFrom(
  "",
  " ",
  "\u0000",
  "\ud800",
  "'; drop table events; --",
  "../../../etc/passwd",
  "__proto__",
  "%00",
  "{{customerName}}",
  "ﷺ".repeat(40),
  "9".repeat(400),
);
const anything: fc.Arbitrary<unknown> = fc.oneof(
  strange,
  fc.string({ unit: "binary" }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(-1, 0, 1e21, Number.MAX_SAFE_INTEGER, 0.1),
);

/** A value for a shape. @param noise weight of arbitrary values, against 20 for valid ones */
function valueFor(shape: Json, noise: Noise = { weight: 1 }): fc.Arbitrary<unknown> {
  const fitting = isObject(shape) ? fittingOf(shape, noise) : anything;
  return fc.oneof({ weight: 20, arbitrary: fitting }, { weight: noise.weight, arbitrary: anything });
}

function fittingOf(shape: JsonObject, noise: Noise): fc.Arbitrary<unknown> {
  if ("const" in shape) return fc.constant(shape.const);
  if (Array.isArray(shape.enum)) return fc.constantFrom(...shape.enum);
  const choices = [...listOf(shape.oneOf), ...listOf(shape.anyOf)];
  if (choices.length > 0) return fc.oneof(...choices.map((choice) => valueFor(choice, noise)));
  const types = Array.isArray(shape.type) ? shape.type : [shape.type ?? "any"];
  return fc.oneof(...types.map((type) => ofType(String(type), shape, noise)));
}

function ofType(type: string, shape: JsonObject, noise: Noise): fc.Arbitrary<unknown> {
  switch (type) {
    case "string":
      return textOf(shape);
    case "integer":
      return fc.integer(boundsOf(shape));
    case "number":
      return fc.oneof(fc.integer({ min: 0, max: 200 }), fc.double());
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(valueFor(shape.items ?? {}, noise), {
        minLength: numberIn(shape.minItems) ?? 0,
        maxLength: 3,
      });
    case "object":
      return recordOf(shape, noise);
    default:
      return anything;
  }
}

function boundsOf({ minimum, maximum }: JsonObject): { min: number; max: number } {
  return { min: numberIn(minimum) ?? -1000, max: Math.min(numberIn(maximum) ?? 1000, 2 ** 31 - 1) };
}

function textOf(shape: JsonObject): fc.Arbitrary<string> {
  if (shape.format === "date")
    return fc.date({ noInvalidDate: true }).map((at) => at.toISOString().slice(0, 10));
  if (shape.format === "date-time") return fc.date({ noInvalidDate: true }).map((at) => at.toISOString());
  if (shape.format === "uuid") return fc.uuid();
  if (shape.format === "email") return fc.emailAddress();
  if (typeof shape.pattern === "string") return fc.stringMatching(new RegExp(shape.pattern, "u"));
  const minLength = numberIn(shape.minLength) ?? 0;
  const maxLength = Math.min(numberIn(shape.maxLength) ?? 60, 200);
  return fc.oneof(fc.string({ minLength, maxLength }), fc.string({ minLength, maxLength, unit: "grapheme" }));
}

function recordOf(shape: JsonObject, noise: Noise): fc.Arbitrary<unknown> {
  const members = isObject(shape.properties) ? shape.properties : {};
  if (Object.keys(members).length === 0) return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }));
  const required = new Set(listOf(shape.required).map(String));
  const optional = (name: string, value: fc.Arbitrary<unknown>) =>
    required.has(name) ? value : fc.option(value, { nil: undefined });
  return fc.record(
    Object.fromEntries(
      Object.entries(members).map(([name, member]) => [name, optional(name, valueFor(member, noise))]),
    ),
  );
}

/** Bodies, queries and headers for one operation of the document. */
export type MadeRequest = {
  readonly body: unknown;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Requests to one operation; the caller fills in the path. */
export function requestsTo(operation: JsonObject): fc.Arbitrary<MadeRequest> {
  const parameters = listOf(operation.parameters).filter(isObject);
  const query = parameters.filter((parameter) => parameter.in === "query");
  return fc.record({
    body: bodyOf(operation),
    query: queryOf(query),
    headers: parameters.some(({ name }) => name === "Idempotency-Key") ? key : fc.constant({}),
  });
}

const key = fc.oneof(
  { weight: 8, arbitrary: fc.uuid().map((id) => ({ "Idempotency-Key": id })) },
  { weight: 6, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant({ "Idempotency-Key": "short" }) },
);

function bodyOf({ requestBody }: JsonObject): fc.Arbitrary<unknown> {
  if (!isObject(requestBody)) return fc.constant(undefined);
  const content = isObject(requestBody.content) ? requestBody.content["application/json"] : undefined;
  return valueFor((isObject(content) ? content.schema : undefined) ?? {});
}

function queryOf(parameters: readonly JsonObject[]): fc.Arbitrary<string> {
  const pairs = parameters.map(({ name, required, schema }) =>
    fc.tuple(valueFor(schema ?? {}), fc.boolean()).map(([value, given]) => ({
      pair: [String(name), wellFormed(value)],
      given,
      isRequired: required === true,
    })),
  );
  // Half of them with what is required alone: a long query has some value that is refused.
  return fc.tuple(fc.boolean(), ...pairs).map(([isShort, ...all]) => {
    const given = all
      .filter(({ given, isRequired }) => isRequired || (given && !isShort))
      .map(({ pair }) => pair);
    const text = new URLSearchParams(given.map(([name = "", value = ""]) => [name, value])).toString();
    return text === "" ? "" : `?${text}`;
  });
}

const wellFormed = (value: unknown): string =>
  (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).toWellFormed();
