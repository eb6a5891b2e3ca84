import * as z from "zod/mini";
import {
  type ApiRequest,
  type ProblemCode,
  problemStatuses,
  type Schema,
} from "../../../contract/request.ts";
import { receiptShown } from "../../../contract/shapes.ts";
import { entriesShown } from "../../../contract/staff-orders/timeline.ts";
import type { JsonObject } from "../../../infra/json.ts";
import type { Shapes } from "./api-document-shapes.ts";

const phase = z.nullish(z.string());
const rule = z.nullish(z.string());
const fieldErrors = z.record(z.string(), z.string());

/** Members of a problem beyond those that every problem has. */
const members: Partial<Readonly<Record<ProblemCode, Readonly<Record<string, Schema>>>>> = {
  "invalid-fields": { errors: fieldErrors },
  "forbidden-in-phase": { phase, rule },
  "changed-meanwhile": { revision: z.nullish(z.int()), since: z.optional(entriesShown) },
  "wrong-amount": { phase, rule, needsNewOrder: z.boolean(), totalAmount: z.optional(z.number()) },
  "impossible-quote": {
    unitPrices: z.object({ standard: z.optional(z.number()), priority: z.optional(z.number()) }),
    errors: fieldErrors,
  },
  "setting-refused": { rule, details: z.record(z.string(), z.unknown()) },
  "payment-not-received": { phase, rule },
  "personal-data-destroyed": {
    dataClass: z.optional(z.string()),
    receipt: z.nullish(receiptShown),
  },
};

/** Names the schema for code generators: `too-many-requests` becomes `TooManyRequestsProblem`. */
const nameOf = (code: ProblemCode): string =>
  `${code.replace(/(^|-)(\w)/g, (_whole, _dash, letter: string) => letter.toUpperCase())}Problem`;

const bodyOf = (code: ProblemCode): Schema =>
  z
    .object({
      ...members[code],
      type: z.literal("about:blank"),
      title: z.string(),
      status: z.literal(problemStatuses[code]),
      code: z.literal(code),
      requestId: z.string(),
    })
    .register(z.globalRegistry, { title: nameOf(code) });

/** Schemas of all problems, by name. */
export function problemSchemas(shapes: Shapes): Readonly<Record<string, JsonObject>> {
  const codes = Object.keys(problemStatuses).filter(isCode);
  return Object.fromEntries(codes.map((code) => [nameOf(code), shapes.answered(bodyOf(code))]));
}

const isCode = (name: string): name is ProblemCode => Object.hasOwn(problemStatuses, name);

/** Any route may answer these. */
const always: readonly ProblemCode[] = [
  "malformed-request",
  "record-unreadable",
  "too-many-requests",
  "internal-error",
  "unavailable",
];
const ofPost: readonly ProblemCode[] = ["foreign-origin", "body-too-large", "unsupported-media-type", "busy"];
const ofNotice: readonly ProblemCode[] = [
  "signature-refused",
  "body-too-large",
  "unsupported-media-type",
  "busy",
];

/** All codes a route may answer: from its kind, its parameters and its own rules. */
function refusalsOf({ method, from, asks, refuses }: ApiRequest): readonly ProblemCode[] {
  const codes = new Set<ProblemCode>([...always, ...refuses]);
  const add = (more: readonly ProblemCode[]) => more.forEach((code) => void codes.add(code));
  if (from === "provider") add(ofNotice);
  else {
    if (method === "POST") add(ofPost);
    if (asks !== "nothing") add(["invalid-fields"]);
  }
  if (from === "holder") add(["not-found"]);
  if (from === "signed-in" || typeof from !== "string") add(["sign-in-required"]);
  if (typeof from !== "string") add(["not-allowed"]);
  return [...codes];
}

/** A route's refusals, by status. */
export function refusalResponses(request: ApiRequest): Readonly<Record<string, JsonObject>> {
  const byStatus = Map.groupBy(refusalsOf(request), (code) => problemStatuses[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [String(status), responseOf(status, codes)]),
  );
}

function responseOf(status: number, codes: readonly ProblemCode[]): JsonObject {
  const refs = codes.map((code) => ({ $ref: `#/components/schemas/${nameOf(code)}` }));
  const [only] = refs;
  return {
    description: codes.map((code) => `\`${code}\``).join(", "),
    headers: { "Request-Id": { $ref: "#/components/headers/Request-Id" }, ...extraHeaders(status) },
    content: {
      "application/problem+json": { schema: refs.length === 1 && only ? only : { oneOf: refs } },
    },
  };
}

function extraHeaders(status: number): JsonObject {
  if (status === 401) return { "WWW-Authenticate": { $ref: "#/components/headers/WWW-Authenticate" } };
  const mayWait = status === 429 || status === 503 || status === 409;
  return mayWait ? { "Retry-After": { $ref: "#/components/headers/Retry-After" } } : {};
}
