/** The words the form shows beside each field that was refused, by the field's path in the body. */
export type FieldErrors = Readonly<Record<string, string>>;

/** Every code a problem may carry. Stable: clients decide by it, never by the words. */
export type ProblemCode =
  | "malformed-request"
  | "invalid-fields"
  | "unsupported-media-type"
  | "body-too-large"
  | "foreign-origin"
  | "sign-in-required"
  | "not-allowed"
  | "not-found"
  | "method-not-allowed"
  | "forbidden-in-phase"
  | "changed-meanwhile"
  | "personal-data-destroyed"
  | "setting-refused"
  | "wrong-amount"
  | "impossible-quote"
  | "payment-not-received"
  | "payment-processing"
  | "idempotency-key-reused"
  | "link-expired"
  | "signature-refused"
  | "too-many-requests"
  | "busy"
  | "unavailable"
  | "payments-unavailable"
  | "internal-error";

/** A refusal as HTTP tells it (RFC 9457). `members` are extra members of the body; nothing in it was typed by a person. */
export class Problem extends Error {
  override name = "Problem";
  readonly status: number;
  readonly code: ProblemCode;
  readonly members: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: ProblemCode,
    title: string,
    extra: {
      members?: Readonly<Record<string, unknown>>;
      headers?: Readonly<Record<string, string>>;
      cause?: unknown;
    } = {},
  ) {
    super(title, { cause: extra.cause });
    this.status = status;
    this.code = code;
    this.members = extra.members ?? {};
    this.headers = extra.headers ?? {};
  }
}

/** An unknown thing and another's thing look the same, so that nobody learns which ids exist. */
export const notFound = (): Problem => new Problem(404, "not-found", "There is nothing here.");

/** 422: the key belongs to another request, or nothing tells any more that it does not. */
export const keyReused = (): Problem =>
  new Problem(422, "idempotency-key-reused", "This Idempotency-Key was used for another request.");

/** 422: the request is well formed, but fields are missing or wrong. */
export const invalidFields = (errors: FieldErrors): Problem =>
  new Problem(422, "invalid-fields", "Some fields are missing or wrong.", { members: { errors } });

/** 400: the request cannot be read at all. */
export const malformed = (title: string, cause?: unknown): Problem =>
  new Problem(400, "malformed-request", title, { cause });
