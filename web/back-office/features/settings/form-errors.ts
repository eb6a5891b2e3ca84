import * as z from "zod/mini";
import type { Schema } from "../../../../contract/request.ts";

/** The first message of each field that a schema refuses, by its path; empty when it takes the value. */
export function errorsIn(schema: Schema, value: unknown): Readonly<Record<string, string>> {
  const errors: Record<string, string> = {};
  for (const { path, message } of z.safeParse(schema, value).error?.issues ?? []) {
    errors[path.join(".")] ??= message;
  }
  return errors;
}
