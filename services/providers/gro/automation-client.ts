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
import { groNoticeMessage } from "../../../contract/providers/notices.ts";
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
  refusalAnswer,
  statusAnswer,
  statusPath,
  submissionPath,
  submissionRefusal,
} from "./automation-protocol.ts";

type AutomationSettings = {
  /** Without a trailing slash. */
  url: string;
  /** Signs our requests, and callbacks by default: `whsec_` and base 64. */
  secret: string;
  /** A notice may be signed with any of these: two while one is being replaced. */
  callbackSecrets?: readonly string[];
  now: () => Date;
  newId: () => string;
  /** Added to each request: `Correlation-Id`, and `traceparent` if tracing is on. Unsigned and without effect. */
  moreHeaders?: () => Readonly<Record<string, string>>;
  /** Time-out of one try. */
  timeoutMs?: number;
  /** How long the breaker stays open after five errors in a row. */
  pauseMs?: number;
};

/** The connection failed, so nothing was sent and sending again is safe. */
class NotSent extends SubmissionUncertain {
  override name = "NotSent";
  constructor() {
    super("unreachable");
  }
}

const notSentCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/** The automation service over HTTP. Retries only requests that certainly never left. */
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
    // Checked before each try, because the process may have paused since the attempt started, or between tries.
    if (settings.now().getTime() >= Date.parse(application.notAfter)) throw new SubmissionTooLate("expired");
    const send = () => post(submissionPath, { key, ...application }, { "idempotency-key": key });
    return exchange(send, acceptedAnswer, submissionRefusal);
  }

  async function statuses(submissions: readonly SubmissionName[]): Promise<readonly SubmissionStatus[]> {
    const answer = await exchange(() => post(statusPath, { submissions }, {}), statusAnswer);
    // Answers are matched to submissions by their order alone.
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
        return groNoticeMessage.parse(verifiedByAny(callbacks, rawBody, presentOnly(headers)));
      } catch (error) {
        throw new NoticeRefused("The notice was not sent by the automation service, or is too old.", {
          cause: error,
        });
      }
    },
  };
}

/** @throws the last secret's error, when none of them signed it */
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

/** One request and its parsed answer. An unclear answer leaves the outcome open. */
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

/** Longer than any valid answer. */
const longestAnswerBytes = 65_536;

/** @throws Error when it is too long, before it fills the memory */
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

/** A proxy's error page is not JSON; it says nothing about the submission. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** fetch hides the network's error code in `cause`. */
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
