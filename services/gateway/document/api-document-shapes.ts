import { z } from "zod";
import type { Schema } from "../../../contract/request.ts";
import type { JsonObject } from "../../../infra/json.ts";

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
