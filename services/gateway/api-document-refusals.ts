import { z } from "zod";
import type { JsonObject } from "../../infra/json.ts";
import { entriesShown } from "./admin-presenters/order/timeline.ts";
import type { Shapes } from "./api-document-shapes.ts";
import { receiptShown } from "./presented.ts";
import { type ProblemCode, problemStatuses } from "./problem.ts";
import { noBody, type Route } from "./route.ts";

const phase = z.string().nullish();
const rule = z.string().nullish();
const fieldErrors = z.record(z.string(), z.string());

/** What the body of a problem holds beyond what each has. */
const members: Partial<Readonly<Record<ProblemCode, z.ZodRawShape>>> = {
  "invalid-fields": { errors: fieldErrors },
  "forbidden-in-phase": { phase, rule },
  "changed-meanwhile": { revision: z.int().nullish(), since: entriesShown.optional() },
  "wrong-amount": { phase, rule, needsNewOrder: z.boolean(), totalAmount: z.number().optional() },
  "impossible-quote": {
    unitPrices: z.object({ standard: z.number().optional(), priority: z.number().optional() }),
    errors: fieldErrors,
  },
  "setting-refused": { rule, details: z.record(z.string(), z.unknown()) },
  "payment-not-received": { phase, rule },
  "personal-data-destroyed": {
    dataClass: z.string().optional(),
    receipt: receiptShown.nullish(),
  },
};

/** `too-many-requests` is TooManyRequests to whoever generates code from the document. */
const nameOf = (code: ProblemCode): string =>
  `${code.replace(/(^|-)(\w)/g, (_whole, _dash, letter: string) => letter.toUpperCase())}Problem`;

/** The body of a problem (RFC 9457) with this code. */
const bodyOf = (code: ProblemCode): z.ZodType =>
  z
    .object({
      ...members[code],
      type: z.literal("about:blank"),
      title: z.string(),
      status: z.literal(problemStatuses[code]),
      code: z.literal(code),
      requestId: z.string(),
    })
    .meta({ title: nameOf(code) });

/** Every kind of refusal, as a schema under its name. */
export function problemSchemas(shapes: Shapes): Readonly<Record<string, JsonObject>> {
  const codes = Object.keys(problemStatuses).filter(isCode);
  return Object.fromEntries(codes.map((code) => [nameOf(code), shapes.answered(bodyOf(code))]));
}

const isCode = (name: string): name is ProblemCode => Object.hasOwn(problemStatuses, name);

/** Whatever a route does, it may be told these. */
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

/** Every code a route may refuse with: by its kind, by what it takes, and by rules of its own. */
function refusalsOf({ method, who, told }: Route): readonly ProblemCode[] {
  const codes = new Set<ProblemCode>([...always, ...(told.refuses ?? [])]);
  const add = (more: readonly ProblemCode[]) => more.forEach((code) => void codes.add(code));
  if (who === "provider") add(ofNotice);
  else {
    if (method === "POST") add(ofPost);
    if ("query" in told || told.body !== noBody) add(["invalid-fields"]);
  }
  if (who === "holder") add(["not-found"]);
  if (who === "signed-in" || Array.isArray(who)) add(["sign-in-required"]);
  if (Array.isArray(who)) add(["not-allowed"]);
  return [...codes];
}

/** The answers of a route to what it refuses, by status. */
export function refusalResponses(route: Route): Readonly<Record<string, JsonObject>> {
  const byStatus = Map.groupBy(refusalsOf(route), (code) => problemStatuses[code]);
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
