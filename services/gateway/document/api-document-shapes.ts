import { z } from "zod";
import type { Schema } from "../../../contract/request.ts";
import type { JsonObject } from "../../../infra/json.ts";

/** Where the document keeps what several operations name. */
const components = "#/components/schemas/";

/** Turns zod's schemas into those of the document, and collects the ones that have a name of their own. */
export type Shapes = {
  /** What may be sent: before defaults and transformations. */
  sent(schema: Schema): JsonObject;
  /** What is answered. */
  answered(schema: Schema): JsonObject;
  /** The named ones so far, by name. */
  named(): Readonly<Record<string, JsonObject>>;
};

type Draft = Record<string, unknown>;

/** Formats that say all their pattern says, in a word. */
const told = new Set(["date", "date-time", "uuid", "email"]);

/** Takes out what would only fill the page: patterns beside a format, and the bounds of every integer. */
function shorten({ jsonSchema }: { jsonSchema: Draft }): void {
  if (typeof jsonSchema.format === "string" && told.has(jsonSchema.format)) delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

/** Shapes of one document. */
export function createShapes(): Shapes {
  const kept = new Map<string, JsonObject>();

  function shapeOf(schema: Schema, io: "input" | "output"): JsonObject {
    const made = z.toJSONSchema(schema, { io, unrepresentable: "any", override: shorten });
    // A schema that has a name of its own comes among the definitions, and as a reference to them.
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
