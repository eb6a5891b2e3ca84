import type { Request, RequestHandler, Response } from "express";
import * as z from "zod/mini";
import type { ApiRequest, Presented, Schema, Sender, Success } from "../../contract/request.ts";
import type { Position } from "../../infra/event-store/event-store.ts";
import type { StorageWatch } from "../../infra/telemetry/storage/storage-watch.ts";
import type { Role } from "../identity/session-token.ts";
import { Problem } from "./errors/problem.ts";
import {
  authorizeForOrder,
  authorizeRole,
  authorizeSignedIn,
  type Caller,
  type SameOrigin,
  type SignedInCaller,
  type StaffMember,
} from "./guards/identify.ts";
import type { Limit, LimitFiles } from "./guards/limit.ts";
import {
  onceADay,
  orderIdIn,
  readJson,
  readRaw,
  validate,
  validateIdempotencyKey,
} from "./guards/validate.ts";
import { type HandlerDependencies, settle, type WaitFor } from "./parts.ts";
import { requestIdOf } from "./request-log.ts";

export type Guards = {
  readonly limit: Limit;
  readonly limitFiles: LimitFiles;
  readonly sameOrigin: SameOrigin;
  readonly identify: (request: Request) => Promise<Caller>;
  readonly waitFor: WaitFor;
  readonly storage: Pick<StorageWatch, "expect">;
};

/** Deadline of an answer that sets none: well before browsers, proxies and people give up. */
const usuallyAnswersWithinSeconds = 8;

/** One request that has passed its guards. */
type Call<Body = unknown> = {
  readonly request: Request;
  readonly response: Response;
  readonly caller: Caller;
  /** Ours, never the client's: events record it. */
  readonly correlationId: string;
  readonly idempotencyKey: string | undefined;
  /** Parsed body of a POST, or query of a GET. */
  readonly body: Body;
};
export type OrderCall<Body = unknown> = Call<Body> & { readonly orderId: string };
/** A call by a signed-in user of any role. */
type SignedInCall<Body = unknown> = Call<Body> & { readonly by: SignedInCaller };
/** A call by a member of staff. */
export type StaffCall<Body = unknown> = Call<Body> & { readonly by: StaffMember };
type NoticeCall = Pick<Call, "request" | "correlationId"> & { readonly rawBody: Buffer };

/** A handler's result. `position`: what a command wrote, which the browser sends back as `Read-After`. */
type Answer = {
  readonly body?: unknown;
  readonly position?: Position;
  readonly cookies?: readonly string[];
  readonly file?: AttachedFile;
  readonly bytes?: Buffer;
};

type AttachedFile = { readonly name: string; readonly type: string; readonly bytes: Buffer };

/** A handler's result under its contract; streams are sent by the handler itself. */
export type AnswerTo<Kind extends Success> = Kind extends { readonly kind: "json"; readonly schema: Schema }
  ? {
      readonly body: Presented<Kind["schema"]>;
      readonly position?: Position;
      readonly cookies?: readonly string[];
    }
  : Kind extends { readonly kind: "nothing" }
    ? { readonly position?: Position }
    : Kind extends { readonly kind: "file" }
      ? { readonly file: AttachedFile }
      : Kind extends { readonly kind: "published" }
        ? { readonly bytes: Buffer }
        : undefined;

/** A request with its handler; `serve` runs the guards in a fixed order. */
export type Route = {
  readonly request: ApiRequest;
  /** Today's schema of the request. */
  readonly asked: () => Schema;
  readonly serve: (guards: Guards) => RequestHandler;
};

/** A route awaiting its handler's dependencies. Its request marks it among a module's exports. */
export type RouteOf = ((dependencies: HandlerDependencies) => Route) & { readonly request: ApiRequest };

export const isRoute = (value: unknown): value is RouteOf =>
  typeof value === "function" && "request" in value;

export const route = <Asked extends Schema, Kind extends Success>(
  request: ApiRequest<string, "anyone", Asked, Kind>,
  make: (dependencies: HandlerDependencies) => (call: Call<z.output<Asked>>) => Promise<AnswerTo<Kind>>,
): RouteOf => routeWith(request, make, (call, read) => ({ ...call, body: read() }));

/** A route about one order, for its holder and for staff. The order's id is in the path, or `orderId` in the body. */
export const holderRoute = <Asked extends Schema, Kind extends Success>(
  request: ApiRequest<string, "holder", Asked, Kind>,
  make: (dependencies: HandlerDependencies) => (call: OrderCall<z.output<Asked>>) => Promise<AnswerTo<Kind>>,
): RouteOf =>
  routeWith(request, make, async (call, read) => {
    const inPath = request.path.includes("{id}");
    const named = orderIdIn(inPath ? call.request.params.id : call.request.body?.orderId);
    // The schema refuses a body that names no order; an order that is named must be the caller's.
    if (named === undefined && !inPath) read();
    const orderId = await authorizeForOrder(call.caller, named);
    return { ...call, orderId, body: read() };
  });

export const signedInRoute = <Asked extends Schema, Kind extends Success>(
  request: ApiRequest<string, "signed-in", Asked, Kind>,
  make: (
    dependencies: HandlerDependencies,
  ) => (call: SignedInCall<z.output<Asked>>) => Promise<AnswerTo<Kind>>,
): RouteOf =>
  routeWith(request, make, (call, read) => {
    const by = authorizeSignedIn(call.caller);
    return { ...call, by, body: read() };
  });

/** A back-office route, for the roles in its contract. */
export const staffRoute = <Asked extends Schema, Kind extends Success>(
  request: ApiRequest<string, readonly Role[], Asked, Kind>,
  make: (dependencies: HandlerDependencies) => (call: StaffCall<z.output<Asked>>) => Promise<AnswerTo<Kind>>,
): RouteOf =>
  routeWith(request, make, (call, read) => {
    const by = authorizeRole(call.caller, request.from);
    return { ...call, by, body: read() };
  });

/** @param admit admits a call or throws a problem; `read` parses the request */
function routeWith<Asked extends Schema, Kind extends Success, Admitted>(
  request: ApiRequest<string, Sender, Asked, Kind>,
  make: (dependencies: HandlerDependencies) => (call: Admitted) => Promise<AnswerTo<Kind>>,
  admit: (call: Call, read: () => z.output<Asked>) => Admitted | Promise<Admitted>,
): RouteOf {
  const routeOf = (dependencies: HandlerDependencies): Route => {
    const asked = schemaOf(request, dependencies);
    const handle = make(dependencies);
    const compiled = compiledOf(asked);
    const read = (incoming: Request) => {
      const { query, body } = incoming;
      // What the schema drops may be many times what it keeps: not to be held while the answer is waited for.
      incoming.body = undefined;
      return validate(compiled(), request.asks === "query" ? query : body);
    };
    const admitted = async (call: Call) => {
      const admission = await admit(call, () => read(call.request));
      return () => handle(admission);
    };
    return { request, asked, serve: (guards) => guarded(guards, request, admitted) };
  };
  return Object.assign(routeOf, { request });
}

/** The route of a webhook; its handler verifies the signature over the raw bytes. */
export function webhookRoute(
  request: ApiRequest<string, "provider">,
  make: (dependencies: HandlerDependencies) => (call: NoticeCall) => Promise<Answer>,
): RouteOf {
  const routeOf = (dependencies: HandlerDependencies): Route => {
    const handle = make(dependencies);
    const serve =
      (guards: Guards): RequestHandler =>
      async (incoming, response) => {
        await guards.limit(incoming, request.limit);
        const rawBody = await readRaw(incoming, response);
        const work = async () => {
          await guards.storage.expect("database");
          return handle({ request: incoming, rawBody, correlationId: requestIdOf(response) });
        };
        const seconds = request.withinSeconds ?? usuallyAnswersWithinSeconds;
        send(response, request.answers, await inTime(response, work, seconds));
      };
    return { request, asked: schemaOf(request, dependencies), serve };
  };
  return Object.assign(routeOf, { request });
}

/** A request's schema, rebuilt daily if it depends on the day: building one costs more than parsing with it. */
function schemaOf<Asked extends Schema>(
  { asked }: ApiRequest<string, Sender, Asked>,
  { deps: { now }, settings }: HandlerDependencies,
): () => Asked {
  if (typeof asked !== "function") return () => asked;
  const orderableTypes = () => settings.current().orderableTypes;
  return onceADay(now, (today) => asked({ today, now, orderableTypes }));
}

/**
 * Compiled when first asked for, since most routes of a process never are: an order's body takes 3.5 µs in place of 12.
 * A body that it refuses is parsed again by the schema itself, which says why.
 */
function compiledOf<Asked extends Schema>(asked: () => Asked): () => Asked {
  let kept: { readonly schema: Asked; readonly compiled: Asked } | undefined;
  return () => {
    const schema = asked();
    if (kept?.schema !== schema) kept = { schema, compiled: z.compile(schema) };
    return kept.compiled;
  };
}

// Rate limit first, so that a flood costs nothing; then origin; then identity.
function guarded(
  guards: Guards,
  { limit, withinSeconds, mostBytes, answers }: ApiRequest,
  admitted: (call: Call) => Promise<() => Promise<Answer | undefined>>,
): RequestHandler {
  async function serve(request: Request, response: Response): Promise<Answer | undefined> {
    await guards.storage.expect("database");
    const caller = await guards.identify(request);
    const idempotencyKey = validateIdempotencyKey(request.get("Idempotency-Key"));
    const correlationId = requestIdOf(response);
    const handle = await admitted({
      request,
      response,
      caller,
      idempotencyKey,
      correlationId,
      body: undefined,
    });
    // Commands decide on the stream itself; only reads wait for the read models. Nothing waits to be refused.
    if (limit !== "commands") await settle(request, response, guards.waitFor);
    return await handle();
  }

  return async (request, response) => {
    const giveBack = await guards.limit(request, limit);
    let isGuess = false;
    try {
      if (request.method === "POST") {
        guards.sameOrigin(request);
        const fileBytes = await readJson(request, response, mostBytes);
        if (fileBytes > 0) await guards.limitFiles(request, fileBytes);
      } else {
        request.body = {};
        // No answer has an ETag, and Express takes `*` for any: it would answer 304, with nothing in it.
        delete request.headers["if-none-match"];
      }
      const seconds = withinSeconds ?? usuallyAnswersWithinSeconds;
      const answered = await inTime(response, () => serve(request, response), seconds);
      if (answered) send(response, answers, answered);
    } catch (error) {
      // A refusal for another reason, or a fault of ours, is none.
      isGuess = error instanceof Problem && error.status === 404;
      throw error;
    } finally {
      if (!isGuess) giveBack?.();
    }
  };
}

/**
 * One deadline for all that a request needs, whichever part of it hangs. What was begun goes on, and may yet be done:
 * sent again under the same key, it is answered as it turned out. A stream that has begun has none.
 * @throws Problem 503 when it is over
 */
function inTime<Result>(response: Response, work: () => Promise<Result>, seconds: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      if (!response.headersSent) reject(tookTooLong());
    }, seconds * 1000);
    const ending =
      <Value>(settle: (value: Value) => void) =>
      (value: Value) => {
        clearTimeout(timer);
        settle(value);
      };
    work().then(ending(resolve), ending(reject));
  });
}

const tookTooLong = (): Problem =>
  new Problem("unavailable", "This is taking too long: please try again.", {
    headers: { "Retry-After": "5" },
  });

function send(response: Response, success: Success, answer: Answer): void {
  if (answer.body !== undefined) {
    sendJson(response, success.status, answer);
    return;
  }
  if (answer.position) response.set("Position", answer.position);
  response.setHeader("Cache-Control", "no-store");
  response.statusCode = success.status;
  if (success.kind === "published") {
    response.set("Cache-Control", `public, max-age=${success.cachedSeconds}`);
    response.type(success.type).send(answer.bytes);
  } else if (answer.file) {
    // A browser that opens it all the same runs nothing in it, and gives it no origin.
    response.set("Content-Security-Policy", "sandbox");
    response.attachment(answer.file.name).type(answer.file.type).send(answer.file.bytes);
  } else response.end();
}

/**
 * Without Express's `json`: it looks for what an answer that is never stored cannot have, such as a tag. Every header is
 * given to `writeHead`: a cookie set before it makes an order take 4 % longer.
 */
function sendJson(response: Response, status: number, { body, position, cookies = [] }: Answer): void {
  const text = JSON.stringify(body);
  const headers = ["Cache-Control", "no-store", "Content-Type", "application/json; charset=utf-8"];
  headers.push("Content-Length", String(Buffer.byteLength(text)));
  if (position) headers.push("Position", position);
  for (const cookie of cookies) headers.push("Set-Cookie", cookie);
  response.writeHead(status, headers).end(text);
}
