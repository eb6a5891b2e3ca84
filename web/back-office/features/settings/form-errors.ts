import type { z } from "zod";

/** The first message of each field that a schema refuses, by its path; empty when it takes the value. */
export function errorsIn(schema: z.ZodType, value: unknown): Readonly<Record<string, string>> {
  const errors: Record<string, string> = {};
  for (const { path, message } of schema.safeParse(value).error?.issues ?? []) {
    errors[path.join(".")] ??= message;
  }
  return errors;
}
