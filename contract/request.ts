import * as z from "zod/mini";
import type { CalendarDate } from "../domain/calendar-date.ts";
import type { OrderableTypes } from "../domain/forms/options.ts";
import type { StaffRole } from "../domain/settings/vocabulary.ts";

/** Every problem code with its HTTP status. Codes are stable; clients rely on them, never on the wording. */
export const problemStatuses = {
  "malformed-request": 400,
  "signature-refused": 400,
  "sign-in-required": 401,
  "foreign-origin": 403,
  "not-allowed": 403,
  "not-found": 404,
  "method-not-allowed": 405,
  "forbidden-in-phase": 409,
  "changed-meanwhile": 409,
  "wrong-amount": 409,
  "payment-not-received": 409,
  "payment-processing": 409,
  "proof-not-ready": 409,
  "personal-data-destroyed": 410,
  "link-expired": 410,
  "body-too-large": 413,
  "unsupported-media-type": 415,
  "invalid-fields": 422,
  "setting-refused": 422,
  "impossible-quote": 422,
  "idempotency-key-reused": 422,
  "record-unreadable": 423,
  "too-many-requests": 429,
  "internal-error": 500,
  busy: 503,
  unavailable: 503,
  "payments-unavailable": 503,
  "identity-unavailable": 503,
} as const;

export type ProblemCode = keyof typeof problemStatuses;

/** A schema of `zod/mini`, or one of the domain's own. */
export type Schema<Read = unknown, Sent = unknown> = z.core.$ZodType<Read, Sent>;

export type Situation = {
  /** In London. A schema is built once a day. */
  readonly today: CalendarDate;
  readonly now: () => Date;
  readonly orderableTypes: () => OrderableTypes;
};

/**
 * Who may send a request: anyone, the holder of its order (and staff), anyone signed in, staff with one of some roles,
 * or a provider by its signature.
 */
export type Sender = "anyone" | "holder" | "signed-in" | "provider" | readonly StaffRole[];

/**
 * Which allowance a request draws on. `guesses` counts as a read, and if it finds nothing as a lookup; `links` as a
 * lookup and as a first message.
 */
export type LimitName = "reads" | "lookups" | "guesses" | "commands" | "contact" | "links" | "webhooks";

/** The answer to a request that succeeds. */
export type Success =
  | { readonly kind: "json"; readonly status: 200 | 201 | 202; readonly schema: Schema }
  | { readonly kind: "nothing"; readonly status: 204 }
  | {
      readonly kind: "file";
      readonly status: 200;
      readonly types: readonly string[];
      /** Schema of a JSON file; null for other files. */
      readonly contents: Schema | null;
    }
  | {
      readonly kind: "published";
      readonly status: 200;
      readonly type: string;
      /** How long anyone may keep it, caches on the way included. */
      readonly cachedSeconds: number;
    }
  | {
      readonly kind: "stream";
      readonly status: 200;
      readonly type: string;
      readonly description: string;
      /** Schema of the JSON in each server-sent event; null for a stream of text. */
      readonly data: Schema | null;
    };

const json =
  <const Status extends 200 | 201 | 202>(status: Status) =>
  <Answer extends Schema>(schema: Answer) => ({ kind: "json" as const, status, schema });

/** 200 with JSON. */
export const answers = json(200);
/** 201 with JSON: created. */
export const creates = json(201);
/** 202 with JSON: accepted, and still in progress. */
export const begins = json(202);
/** 204 */
export const nothing = { kind: "nothing", status: 204 } as const;

/** 200 with bytes that are the same for everyone. */
export const published = (type: string, { cachedSeconds }: { readonly cachedSeconds: number }) =>
  ({ kind: "published", status: 200, type, cachedSeconds }) as const;

const attachment = "A file, as an attachment";

/** 200 with a file. If there are several types, the request's body chooses one. */
export const file = (...types: readonly string[]) =>
  ({ kind: "file", status: 200, types, contents: null }) as const;

/** 200 with a file of JSON. */
export const fileOf = <Contents extends Schema>(contents: Contents) =>
  ({ kind: "file", status: 200, types: ["application/json"], contents }) as const;

/** 200 with a file, streamed. */
export const table = (type: string) =>
  ({ kind: "stream", status: 200, type, description: attachment, data: null }) as const;

/** 200 with server-sent events named `changed`, until either side closes. */
export const events = <Data extends Schema>(data: Data, description: string) =>
  ({ kind: "stream", status: 200, type: "text/event-stream", description, data }) as const;

const empty = z.object({});
type Empty = typeof empty;

/** One request of the API. The gateway, the pages and the API document derive everything from it. */
export type ApiRequest<
  Path extends string = string,
  From extends Sender = Sender,
  Asked extends Schema = Schema,
  Answer extends Success = Success,
> = {
  readonly method: "GET" | "POST";
  /** As in the specification: `/api/orders/{id}/cancel`. */
  readonly path: Path;
  readonly from: From;
  readonly summary: string;
  readonly limit: LimitName;
  /** Undefined: the gateway's default deadline. */
  readonly withinSeconds: number | undefined;
  /** Of a body with files in base64, beside which it has no more than others. Undefined: the gateway's default limit. */
  readonly mostBytes: number | undefined;
  /** Where `asked` is read from. */
  readonly asks: "nothing" | "body" | "query";
  readonly asked: Asked | ((situation: Situation) => Asked);
  readonly answers: Answer;
  /** Refusals by rules of this request, beyond those that its kind implies. */
  readonly refuses: readonly ProblemCode[];
};

type Spec<From, Answer> = {
  readonly from: From;
  readonly summary: string;
  readonly limit: LimitName;
  readonly withinSeconds?: number;
  readonly mostBytes?: number;
  readonly answers: Answer;
  readonly refuses?: readonly ProblemCode[];
};

/** A request that changes nothing. */
export function get<
  const Path extends string,
  const From extends Sender,
  Answer extends Success,
  Asked extends Schema = Empty,
>(
  path: Path,
  spec: Spec<From, Answer> & { readonly query?: Asked | ((situation: Situation) => Asked) },
): ApiRequest<Path, From, Asked, Answer> & { readonly method: "GET" };
export function get(path: string, spec: Spec<Sender, Success> & { readonly query?: ApiRequest["asked"] }) {
  const { query, ...rest } = spec;
  return { ...requestOf(path, rest, query ? "query" : "nothing", query), method: "GET" as const };
}

/** A command, or a read whose parameters must not appear in a URL. */
export function post<
  const Path extends string,
  const From extends Sender,
  Answer extends Success,
  Asked extends Schema = Empty,
>(
  path: Path,
  spec: Spec<From, Answer> & { readonly body?: Asked | ((situation: Situation) => Asked) },
): ApiRequest<Path, From, Asked, Answer> & { readonly method: "POST" };
export function post(path: string, spec: Spec<Sender, Success> & { readonly body?: ApiRequest["asked"] }) {
  const { body, ...rest } = spec;
  return { ...requestOf(path, rest, body ? "body" : "nothing", body), method: "POST" as const };
}

const requestOf = (
  path: string,
  { from, summary, limit, withinSeconds, mostBytes, answers, refuses = [] }: Spec<Sender, Success>,
  asks: ApiRequest["asks"],
  asked: ApiRequest["asked"] = empty,
) => ({ path, from, summary, limit, withinSeconds, mostBytes, asks, asked, answers, refuses });

/** A request's parameters, parsed. */
export type Read<R extends ApiRequest> =
  R extends ApiRequest<string, Sender, infer Asked> ? z.output<Asked> : never;

/** A request's body, as the client sends it. */
export type Sent<R extends ApiRequest> =
  R extends ApiRequest<string, Sender, infer Asked> ? ReadOnly<z.input<Asked>> : never;

/** `T`, read-only at every depth. */
type ReadOnly<T> = T extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: ReadOnly<T[Key]> }
    : T;

export type Answered<R extends ApiRequest> = R["answers"] extends {
  readonly schema: infer Answer extends Schema;
}
  ? z.output<Answer>
  : never;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

export type Params<Path extends string> = Readonly<Record<NamesIn<Path>, string>>;

/** The request's path with its parameters filled in. */
export const addressOf = <Path extends string>(
  { path }: { readonly path: Path },
  params: Params<Path>,
): string => {
  const values: Readonly<Record<string, string>> = params;
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(values[name] ?? ""));
};

/**
 * A presenter's result: its schema's output, read-only. The API document is made from the same schema, so a field that
 * it lacks does not compile.
 */
export type Presented<Answer extends Schema> = ReadOnly<z.output<Answer>>;

/** Work on orders and tickets. */
export const staff = ["staff", "manager"] as const satisfies readonly StaffRole[];
/** Decide on proposals and settings. */
export const managers = ["manager"] as const satisfies readonly StaffRole[];
/** Read the purge register and the access log. */
export const auditors = ["compliance", "manager"] as const satisfies readonly StaffRole[];
export const everyRole = ["staff", "manager", "compliance"] as const satisfies readonly StaffRole[];

export type StaffRequest = { readonly from: readonly StaffRole[] };

export const maySend = (role: StaffRole | null, { from }: StaffRequest): boolean =>
  role !== null && from.includes(role);
