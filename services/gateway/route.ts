import type { Request, RequestHandler, Response, Router } from "express";
import { z } from "zod";
import type { Position } from "../../infra/event-store/event-store.ts";
import type { StorageWatch } from "../../infra/storage/storage-watch.ts";
import type { Role } from "../identity/roles.ts";
import type { Success } from "./answers.ts";
import {
  authorizeForOrder,
  authorizeRole,
  authorizeSignedIn,
  type SignedInCaller,
  type StaffMember,
} from "./guards/authorize.ts";
import type { Caller } from "./guards/identify.ts";
import { readJson, readRaw } from "./guards/json-body.ts";
import type { Limit, LimitName } from "./guards/limit.ts";
import type { SameOrigin } from "./guards/same-origin.ts";
import { orderIdIn, validate, validateIdempotencyKey } from "./guards/validate.ts";
import { Problem, type ProblemCode } from "./problem.ts";
import { settle, type WaitFor } from "./read-after.ts";
import { requestIdOf } from "./request-log.ts";

/** What every route is guarded by. */
export type Guards = {
  readonly limit: Limit;
  readonly sameOrigin: SameOrigin;
  readonly identify: (request: Request) => Promise<Caller>;
  readonly waitFor: WaitFor;
  readonly storage: Pick<StorageWatch, "expect">;
  /** How long an answer may take, where a route does not say otherwise. */
  readonly answerWithinSeconds: number;
};

/** One request, after its guards. */
export type Call<Body = unknown> = {
  readonly request: Request;
  readonly response: Response;
  readonly caller: Caller;
  /** Ours, never the client's: it goes into the log of events. */
  readonly correlationId: string;
  readonly idempotencyKey: string | undefined;
  /** What was asked, by its schema: a POST's body, or a GET's query. */
  readonly body: Body;
};
export type OrderCall<Body = unknown> = Call<Body> & { readonly orderId: string };
/** A call of somebody who is signed in, whatever their role. */
export type SignedInCall<Body = unknown> = Call<Body> & { readonly by: SignedInCaller };
/** A call of somebody who works here; `by` is who. */
export type StaffCall<Body = unknown> = Call<Body> & { readonly by: StaffMember };
export type NoticeCall = Pick<Call, "request" | "correlationId"> & { readonly rawBody: Buffer };

/** What a handler answers. `position` is what a command wrote: the browser sends it back as `Read-After`. */
export type Answer = {
  readonly status?: number;
  readonly body?: unknown;
  readonly position?: Position;
  /** In the place of a body: a file for whoever asked to keep. */
  readonly file?: { readonly name: string; readonly type: string; readonly bytes: Buffer };
};

/** Who may call a route: anybody, who holds its order (and staff), who is signed in, people with one of some roles, or a provider that signs. */
export type Who = "anyone" | "holder" | "signed-in" | readonly Role[] | "provider";
export type Method = "GET" | "POST";

/** A route as the table declares it; `serve` runs its guards in their fixed order. */
export type Route = {
  readonly method: Method;
  readonly path: string;
  readonly who: Who;
  readonly told: Told;
  readonly serve: (guards: Guards) => RequestHandler;
};

/** What a request says beside its path. A function where the schema changes with the day. */
type Asked<Body> =
  | { readonly body: z.ZodType<Body> | (() => z.ZodType<Body>) }
  | { readonly query: z.ZodType<Body> };

/** What the API's document tells of a route, besides what its guards say themselves. */
export type Told = {
  /** A few words, as in a list. */
  readonly summary: string;
  readonly limit: LimitName;
  /** How long it may take to answer, once it was read; as long as any other unless told. */
  readonly withinSeconds?: number;
  readonly answers: Success;
  /** What it may be refused with by the rules of its own, beyond what every route of its kind may. */
  readonly refuses?: readonly ProblemCode[];
} & Asked<unknown>;

/** Answers a call by itself. */
type Stream<C = Call> = (call: C) => Promise<void>;

type Spec<C, Body, Handle = (call: C) => Promise<Answer>> = Omit<Told, "body" | "query"> &
  Asked<Body> & { readonly handle: Handle };

/** The schema of a request that says all it has to say in its path. */
export const noBody = z.object({});

/** A route for anybody. */
export function open<Body>(method: Method, path: string, spec: Spec<Call<Body>, Body>): Route {
  const serve = (guards: Guards) =>
    guarded(guards, spec, async (call) => spec.handle({ ...call, body: bodyOf(spec, call.request) }));
  return { method, path, who: "anyone", told: spec, serve };
}

/** A route for anybody, whose handler answers by itself and for as long as it likes. */
export function stream<Body>(path: string, spec: Spec<Call<Body>, Body, Stream<Call<Body>>>): Route {
  const serve = (guards: Guards) =>
    guarded(guards, spec, async (call) => {
      await spec.handle({ ...call, body: bodyOf(spec, call.request) });
      return undefined;
    });
  return { method: "GET", path, who: "anyone", told: spec, serve };
}

/** A route about one order, for who holds it and for staff. Its id stands in the path, or in the body as `orderId`. */
export function forHolder<Body>(method: Method, path: string, spec: Spec<OrderCall<Body>, Body>): Route {
  const inPath = path.includes("{id}");
  const serve = (guards: Guards) =>
    guarded(guards, spec, async (call) => {
      const named = orderIdIn(inPath ? call.request.params.id : call.request.body?.orderId);
      // A body that names no order is told so by its schema; one that names an order must name the caller's.
      if (named === undefined && !inPath) bodyOf(spec, call.request);
      const orderId = authorizeForOrder(call.caller, named);
      return spec.handle({ ...call, orderId, body: bodyOf(spec, call.request) });
    });
  return { method, path, who: "holder", told: spec, serve };
}

/** A route of the back office, for people with one of these roles. */
export function forRoles<Body>(
  method: Method,
  path: string,
  roles: readonly Role[],
  spec: Spec<StaffCall<Body>, Body>,
): Route {
  const serve = (guards: Guards) =>
    guarded(guards, spec, async (call) => {
      const by = authorizeRole(call.caller, roles);
      return spec.handle({ ...call, by, body: bodyOf(spec, call.request) });
    });
  return { method, path, who: roles, told: spec, serve };
}

/** A route for anybody who is signed in. */
export function forSignedIn<Body>(method: Method, path: string, spec: Spec<SignedInCall<Body>, Body>): Route {
  const serve = (guards: Guards) =>
    guarded(guards, spec, async (call) => {
      const by = authorizeSignedIn(call.caller);
      return spec.handle({ ...call, by, body: bodyOf(spec, call.request) });
    });
  return { method, path, who: "signed-in", told: spec, serve };
}

/** A route of the back office, for people with one of these roles, whose handler answers by itself and for as long as it likes. */
export function streamForRoles<Body>(
  path: string,
  roles: readonly Role[],
  spec: Spec<StaffCall<Body>, Body, Stream<StaffCall<Body>>>,
): Route {
  const serve = (guards: Guards) =>
    guarded(guards, spec, async (call) => {
      const by = authorizeRole(call.caller, roles);
      await spec.handle({ ...call, by, body: bodyOf(spec, call.request) });
      return undefined;
    });
  return { method: "GET", path, who: roles, told: spec, serve };
}

/** A route for a provider, whose signature over the bytes the handler checks. No browser calls it, and its body is read by the handler alone. */
export function forProvider(path: string, spec: Spec<NoticeCall, unknown>): Route {
  const serve =
    (guards: Guards): RequestHandler =>
    async (request, response) => {
      await guards.limit(request, spec.limit);
      const rawBody = await readRaw(request, response);
      const work = async () => {
        await guards.storage.expect("database");
        return spec.handle({ request, rawBody, correlationId: requestIdOf(response) });
      };
      send(response, await inTime(response, work, spec.withinSeconds ?? guards.answerWithinSeconds));
    };
  return { method: "POST", path, who: "provider", told: spec, serve };
}

/** Registers routes; a path written as in the specification, `/orders/{id}`, becomes Express's `/orders/:id`. */
export function mount(router: Router, routes: readonly Route[], guards: Guards): void {
  for (const route of routes) {
    const path = route.path.replace(/\{(\w+)\}/g, ":$1");
    if (route.method === "GET") router.get(path, route.serve(guards));
    else router.post(path, route.serve(guards));
  }
}

// Limit first, so that a flood costs nothing; then what only a page of ours can send; then who it is.
function guarded(
  guards: Guards,
  { limit, withinSeconds }: Pick<Told, "limit" | "withinSeconds">,
  work: (call: Call) => Promise<Answer | undefined>,
): RequestHandler {
  return async (request, response) => {
    await guards.limit(request, limit);
    if (request.method === "POST") {
      guards.sameOrigin(request);
      await readJson(request, response);
    } else request.body = {};
    const serve = async () => {
      await guards.storage.expect("database");
      const caller = await guards.identify(request);
      const idempotencyKey = validateIdempotencyKey(request.get("Idempotency-Key"));
      // A command decides on the stream itself: only reads of the read models have to wait for them.
      if (limit !== "commands") await settle(request, response, guards.waitFor);
      const correlationId = requestIdOf(response);
      return work({ request, response, caller, idempotencyKey, correlationId, body: undefined });
    };
    const answer = await inTime(response, serve, withinSeconds ?? guards.answerWithinSeconds);
    if (answer) send(response, answer);
  };
}

/**
 * One deadline for all that a request needs, whichever part of it hangs. What was begun goes on, and may yet be done: sent again under the same
 * key, it is answered as it turned out. A stream that has begun has none.
 * @throws Problem 503 when it is over
 */
async function inTime<Result>(
  response: Response,
  work: () => Promise<Result>,
  seconds: number,
): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    if (!response.headersSent) reject(tookTooLong());
  }, seconds * 1000);
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

const tookTooLong = (): Problem =>
  new Problem("unavailable", "This takes too long just now: please try again.", {
    headers: { "Retry-After": "5" },
  });

function bodyOf<Body>(asked: Asked<Body>, request: Request): Body {
  if ("query" in asked) return validate(asked.query, request.query);
  const { body } = asked;
  return validate(typeof body === "function" ? body() : body, request.body);
}

function send(response: Response, answer: Answer): void {
  if (answer.position) response.set("Position", answer.position);
  response.set("Cache-Control", "no-store");
  response.status(answer.status ?? 200);
  if (answer.file) {
    response.attachment(answer.file.name).type(answer.file.type).send(answer.file.bytes);
  } else if (answer.body === undefined) response.end();
  else response.json(answer.body);
}
