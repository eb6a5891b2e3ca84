import * as z from "zod/mini";
import type { Schema } from "../../../contract/request.ts";
import { invalidFields, malformed } from "../errors/problem.ts";
import { isWholeText } from "./whole-text.ts";

/**
 * Parses a body by its schema.
 * @throws Problem 400 when it is no JSON object, or holds text that is no Unicode or a null character; 422 naming each field with the form's own message
 */
export function validate<Asked extends Schema>(schema: Asked, body: unknown): z.output<Asked> {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw malformed("The body must be a JSON object.");
  }
  const parsed = z.safeParse(schema, body);
  if (parsed.success) {
    // What was parsed besides: JSON inside a string shows its own text only then.
    if (!isWholeText([body, parsed.data]))
      throw malformed("The body holds text that is no Unicode, or a null character.");
    return parsed.data;
  }
  const errors = new Map<string, string>();
  for (const issue of parsed.error.issues) {
    const field = issue.path.map(String).join(".");
    // The first message of a field is the one its form would show.
    if (!errors.has(field)) errors.set(field, wordsOf(issue));
  }
  throw invalidFields(Object.fromEntries(errors));
}

/** Where a schema has no words of its own, the parser speaks to programmers: the customer gets the specification's generic ones. */
function wordsOf({ message }: z.core.$ZodIssue): string {
  if (/^Invalid input: .* received undefined$/.test(message)) return "Required";
  return /^(Invalid|Too|Unrecognized) .*: /.test(message) ? "Invalid input" : message;
}

const key = /^[\w.:-]{16,128}$/;

/** @throws Problem 400 when the key is so short that another customer might choose it too */
export function validateIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || key.test(header)) return header;
  throw malformed("Idempotency-Key must have 16 to 128 letters, digits or - _ . : (a UUID does).");
}

/** The order's id in lower case, or undefined when it cannot be one. */
export function orderIdIn(value: unknown): string | undefined {
  const id = typeof value === "string" ? value.toLowerCase() : "";
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : undefined;
}
