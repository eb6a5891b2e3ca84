import { z } from "zod";
import * as field from "../../domain/fields.ts";

const leaves = new Set<unknown>(Object.values(field));

/** Paths in a schema that could hold something other than a known leaf, a closed list or a boolean. */
export function openPaths(schema: unknown, path = ""): string[] {
  if (leaves.has(schema)) return [];
  if (schema instanceof z.ZodObject) {
    if (!(schema.def.catchall instanceof z.ZodNever)) return [`${path} accepts unknown fields`];
    return Object.entries(schema.shape).flatMap(([key, part]) => openPaths(part, `${path}.${key}`));
  }
  if (schema instanceof z.ZodNullable) return openPaths(schema.unwrap(), path);
  if (schema instanceof z.ZodArray) return openPaths(schema.element, `${path}[]`);
  const isClosed =
    schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral || schema instanceof z.ZodBoolean;
  return isClosed ? [] : [path];
}
