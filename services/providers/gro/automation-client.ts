import {
  BrokenCircuitError,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleType,
  type IPolicy,
  retry,
  wrap,
} from "cockatiel";
import { Webhook } from "standardwebhooks";
import type { z } from "zod";
import {
  type Accepted,
  type Application,
  type Automation,
  type Inquiry,
  NoticeRefused,
  type SubmissionName,
  SubmissionRefused,
  type SubmissionStatus,
  SubmissionTooLate,
  SubmissionUncertain,
} from "./automation.ts";
import {
  acceptedAnswer,
  inquiryAnswer,
  inquiryPath,
  noticeMessage,
  refusalAnswer,
  statusAnswer,
  statusPath,
  submissionPath,
  submissionRefusal,
} from "./automation-protocol.ts";

export type AutomationSettings = {
  /** Without a trailing slash. */
  url: string;
  /** Signs what we send, and what it calls back with unless told: `whsec_` and base 64. */
  secret: string;
  /** Any of these may have signed a notice: two while one is being replaced. */
  callbackSecrets?: readonly string[];
  now: () => Date;
  newId: () => string;
  /** Asked for each request: `Correlation-Id`, and `traceparent` where traces are kept. They are not signed and change nothing. */
  moreHeaders?: () => Readonly<Record<string, string>>;
  /** Of one try. */
  timeoutMs?: number;
  /** How long the breaker stays open after five faults in a row. */
  pauseMs?: number;
};

/** The service could not be connected to, so nothing has left the house and sending again is safe. */
class NotSent extends SubmissionUncertain {
  override name = "NotSent";
  constructor() {
    super("unreachable");
  }
}

const notSentCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/** The automation service over HTTP. Only a request that certainly never left is sent again by itself. */
export function createAutomationClient(settings: AutomationSettings): Automation {
  const webhook = new Webhook(settings.secret);
  const callbacks = (settings.callbackSecrets ?? [settings.secret]).map((secret) => new Webhook(secret));
  const backoff = new ExponentialBackoff({ initialDelay: 100, maxDelay: 1_000 });
  const breaker = circuitBreaker(handleType(SubmissionUncertain), {
    halfOpenAfter: settings.pauseMs ?? 10_000,
    breaker: new ConsecutiveBreaker(5),
  });
  const sending = wrap(retry(handleType(NotSent), { maxAttempts: 2, backoff }), breaker);
  const asking = wrap(retry(handleType(SubmissionUncertain), { maxAttempts: 2, backoff }), breaker);

  const post = (path: string, message: object, more: Record<string, string>): Promise<Response> => {
    const body = JSON.stringify(message);
    const id = settings.newId();
    const at = settings.now();
    return fetch(`${settings.url}${path}`, {
      method: "POST",
      headers: {
        ...settings.moreHeaders?.(),
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
        "webhook-signature": webhook.sign(id, at, body),
        ...more,
      },
      body,
      redirect: "error",
      signal: AbortSignal.timeout(settings.timeoutMs ?? 15_000),
    });
  };

  async function submit({ key, ...application }: Application): Promise<Accepted> {
    // Asked before each try, because the process may have stood still since the attempt began, or between two tries.
    if (settings.now().getTime() >= Date.parse(application.notAfter)) throw new SubmissionTooLate("expired");
    const send = () => post(submissionPath, { key, ...application }, { "idempotency-key": key });
    return exchange(send, acceptedAnswer, submissionRefusal);
  }

  async function statuses(submissions: readonly SubmissionName[]): Promise<readonly SubmissionStatus[]> {
    const answer = await exchange(() => post(statusPath, { submissions }, {}), statusAnswer);
    // Which is whose only their order tells.
    if (answer.submissions.length !== submissions.length) throw new SubmissionUncertain("fault");
    return answer.submissions;
  }

  return {
    submit: (application) => guarded(sending, () => submit(application)),
    ask: (key): Promise<Inquiry> =>
      guarded(asking, () => exchange(() => post(inquiryPath, { key }, {}), inquiryAnswer)),
    statuses: (submissions) => guarded(asking, () => statuses(submissions)),
    readNotice: (rawBody, headers) => {
      try {
        return noticeMessage.parse(verifiedByAny(callbacks, rawBody, presentOnly(headers)));
      } catch (error) {
        throw new NoticeRefused("The notice is not the automation service's, or is too old.", {
          cause: error,
        });
      }
    },
  };
}

/** @throws the last one's error, when none of the secrets signed it */
function verifiedByAny(
  [first, ...others]: readonly Webhook[],
  rawBody: Buffer,
  headers: Record<string, string>,
): unknown {
  if (first === undefined) throw new Error("There is no secret to verify notices with.");
  try {
    return first.verify(rawBody, headers);
  } catch (error) {
    if (others.length === 0) throw error;
    return verifiedByAny(others, rawBody, headers);
  }
}

async function guarded<T>(policy: IPolicy, call: () => Promise<T>): Promise<T> {
  try {
    return await policy.execute(call);
  } catch (error) {
    if (error instanceof BrokenCircuitError) throw new SubmissionUncertain("circuitOpen");
    throw error;
  }
}

/** One request and its parsed answer. An answer that says nothing clear leaves the outcome open. */
async function exchange<T>(
  send: () => Promise<Response>,
  schema: z.ZodType<T>,
  refusals: z.ZodType<z.infer<typeof submissionRefusal>> = refusalAnswer,
): Promise<T> {
  const { status, ok, body } = await answerOf(send);
  if (ok) {
    const parsed = schema.safeParse(body);
    if (parsed.success) return parsed.data;
    throw new SubmissionUncertain("fault");
  }
  if (status === 401 || status === 403) throw new SubmissionRefused("unauthorized");
  const refusal = refusals.safeParse(body);
  if (status >= 400 && status < 500 && refusal.success) throw refused(refusal.data.code);
  throw new SubmissionUncertain("fault");
}

const refused = (code: z.infer<typeof submissionRefusal>["code"]): SubmissionRefused | SubmissionTooLate =>
  code === "expired" || code === "closed" ? new SubmissionTooLate(code) : new SubmissionRefused(code);

async function answerOf(
  send: () => Promise<Response>,
): Promise<{ status: number; ok: boolean; body: unknown }> {
  try {
    const answer = await send();
    return { status: answer.status, ok: answer.ok, body: parseJson(await textOf(answer)) };
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError") throw new SubmissionUncertain("timeout");
    if (notSentCodes.has(networkCodeOf(error))) throw new NotSent();
    throw new SubmissionUncertain("unreachable");
  }
}

/** Longer than any answer of ours; what is longer is none. */
const longestAnswerBytes = 65_536;

/** @throws Error when there is too much of it, before it fills the memory */
async function textOf({ body }: Response): Promise<string> {
  if (body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > longestAnswerBytes) throw new Error("The answer is too long.");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** A proxy's error page is no JSON; it says nothing about the submission. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** fetch hides the network's own code in the cause of its error. */
function networkCodeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") return cause.code;
  return "";
}

function presentOnly(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
