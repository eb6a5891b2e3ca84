import * as z from "zod/mini";

/** A Problem Details body (RFC 9457) as the gateway sends it. */
const problemSchema = z.object({
  title: z.optional(z.string()),
  detail: z.optional(z.string()),
  status: z.optional(z.number()),
  code: z.optional(z.string()),
  /** The domain rule that refused it. */
  rule: z.optional(z.string()),
  /** Messages of the refused fields. */
  errors: z.optional(z.record(z.string(), z.union([z.string(), z.array(z.string())]))),
});

/** One refused field in words. */
interface FieldProblem {
  field: string;
  message: string;
}

/** An answer other than success. The message is the status code, a colon, and the body's text. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly code: string | null;
  readonly rule: string | null;
  /** One sentence for a person, when the server gave one. */
  readonly detail: string | null;
  readonly fields: readonly FieldProblem[];
  /** Support's reference to a call that failed through our fault; refusals explain themselves. */
  readonly reference: string | null;
  /** Whether it was answered without this tab's latest writes (`Stale`). */
  readonly stale: boolean;

  constructor(
    status: number,
    body: string,
    statusText: string,
    { reference = null, stale = false }: { reference?: string | null; stale?: boolean } = {},
  ) {
    super(`${status}: ${body || statusText}`);
    const problem = problemIn(body);
    this.status = status;
    this.stale = stale;
    this.reference = status >= 500 ? reference : null;
    this.code = problem?.code ?? null;
    this.rule = problem?.rule ?? null;
    this.detail = problem?.detail ?? problem?.title ?? null;
    this.fields = Object.entries(problem?.errors ?? {}).flatMap(([field, messages]) =>
      [messages].flat().map((message) => ({ field, message })),
    );
  }
}

/** The reference in words; empty without one. */
export const referenceWords = (failure: unknown): readonly string[] =>
  failure instanceof ApiError && failure.reference !== null
    ? [`Reference for support: ${failure.reference}`]
    : [];

function problemIn(body: string): z.infer<typeof problemSchema> | null {
  try {
    const parsed = problemSchema.safeParse(JSON.parse(body));
    return parsed.success ? parsed.data : null;
  } catch {
    // Proxies answer in HTML or plain text: the message carries the body, without fields.
    return null;
  }
}

const ourFault = "Something went wrong on our end, or the connection was lost. Please try again.";

/** A refusal in words: the refused fields, the server's sentence, or that it is our fault. */
export function refusalWords(failure: unknown): string[] {
  if (!(failure instanceof ApiError) || failure.status >= 500) return [ourFault, ...referenceWords(failure)];
  if (failure.fields.length > 0) return failure.fields.map(({ message }) => message);
  return [failure.detail ?? ourFault];
}
