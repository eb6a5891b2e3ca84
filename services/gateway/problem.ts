/** The words the form shows beside each field that was refused, by the field's path in the body. */
export type FieldErrors = Readonly<Record<string, string>>;

/** Every code a problem may carry, and the status it is answered with. Stable: clients decide by the code, never by the words. */
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

/** A refusal as HTTP tells it (RFC 9457). `members` are extra members of the body; nothing in it was typed by a person. */
export class Problem extends Error {
  override name = "Problem";
  readonly status: number;
  readonly code: ProblemCode;
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    title: string,
    extra: {
      members?: Readonly<Record<string, unknown>>;
      headers?: Readonly<Record<string, string>>;
      cause?: unknown;
    } = {},
  ) {
    super(title, { cause: extra.cause });
    this.status = problemStatuses[code];
    this.code = code;
    this.members = extra.members ?? {};
    this.headers = extra.headers ?? {};
  }
}

/** An unknown thing and another's thing look the same, so that nobody learns which ids exist. */
export const notFound = (): Problem => new Problem("not-found", "There is nothing here.");

/** 422: the key belongs to another request, or nothing tells any more that it does not. */
export const keyReused = (): Problem =>
  new Problem("idempotency-key-reused", "This Idempotency-Key was used for another request.");

/** 422: the request is well formed, but fields are missing or wrong. */
export const invalidFields = (errors: FieldErrors): Problem =>
  new Problem("invalid-fields", "Some fields are missing or wrong.", { members: { errors } });

/** 400: the request cannot be read at all. */
export const malformed = (title: string, cause?: unknown): Problem =>
  new Problem("malformed-request", title, { cause });
