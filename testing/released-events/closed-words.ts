import { z } from "zod";
import type { Json } from "../../infra/json.ts";

/** Every word of a closed list that data of this schema may hold, with its path: `.destroyed[]=signature`. */
export function wordsOf(schema: unknown, path = ""): string[] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([key, part]) => wordsOf(part, `${path}.${key}`));
  if (schema instanceof z.ZodNullable) return [...wordsOf(schema.unwrap(), path), `${path}=null`];
  if (schema instanceof z.ZodArray) return wordsOf(schema.element, `${path}[]`);
  if (schema instanceof z.ZodEnum) return schema.options.map((word) => `${path}=${word}`);
  return schema instanceof z.ZodBoolean ? [`${path}=true`, `${path}=false`] : [];
}

/** Every leaf of the data in the same notation. */
export function wordsIn(data: Json, path = ""): string[] {
  if (isList(data)) return data.flatMap((part) => wordsIn(part, `${path}[]`));
  if (typeof data === "object" && data !== null)
    return Object.entries(data).flatMap(([key, part]) => wordsIn(part, `${path}.${key}`));
  return [`${path}=${data}`];
}

const isList = (data: Json): data is readonly Json[] => Array.isArray(data);
