import { type ProblemCode, problemStatuses } from "../../../contract/request.ts";

/** The message for each refused field, by the field's path in the body. */
type FieldErrors = Readonly<Record<string, string>>;

/** A refusal as Problem Details (RFC 9457). `members` extend the body and never repeat what a person typed. */
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

/** The same answer for what does not exist and what belongs to another: callers cannot learn which ids exist. */
export const notFound = (): Problem =>
  new Problem("not-found", "This does not exist, or you have no access to it here.");

/** 422: the key belongs to another request, or this can no longer be ruled out. */
export const keyReused = (): Problem =>
  new Problem("idempotency-key-reused", "This Idempotency-Key was used for another request.");

/** 422: the request is well formed, but fields are missing or wrong. */
export const invalidFields = (errors: FieldErrors): Problem =>
  new Problem("invalid-fields", "Some fields are missing or wrong.", { members: { errors } });

/** 400: the request cannot be read at all. */
export const malformed = (title: string, cause?: unknown): Problem =>
  new Problem("malformed-request", title, { cause });

/** The transparency log is signed every minute. */
export const proofNotReady = (): Problem =>
  new Problem("proof-not-ready", "The proof is not ready yet: please try again in a minute.", {
    headers: { "Retry-After": "60" },
  });
