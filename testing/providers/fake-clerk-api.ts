import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

type FakeUser = {
  readonly id: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly username: string | null;
};
/** `stuck` and `endless` are reported as active: the first cannot be revoked, the second stays active afterwards. */
type FakeSession = { readonly id: string; readonly user_id: string; status: string };
const shownStatus = ({ status }: FakeSession): string =>
  status === "stuck" || status === "endless" ? "active" : status;

/** What it does instead of answering the next request. */
export type Misdeed =
  | { readonly kind: "status"; readonly status: number; readonly retryAfter?: string }
  | { readonly kind: "silent" | "cut" | "noJson" | "otherShape" };

/** A local server for the part of Clerk's backend API we use, following its reference, with faults on demand. */
export type FakeClerk = {
  readonly url: string;
  readonly users: FakeUser[];
  readonly sessions: FakeSession[];
  /** Method and path with query of each request, in order. */
  readonly asked: string[];
  /** Each is applied once, to the next requests. */
  readonly misdeeds: Misdeed[];
  readonly close: () => Promise<void>;
};

export const peerSecretKey = "sk_test_c2VjcmV0IG9mIHRoZSBwZWVy";

type Answer = { readonly status: number; readonly body: unknown };
const refusal = (status: number, code: string): Answer => ({
  status,
  body: { errors: [{ code, message: code, long_message: `${code} of Jo Smith` }], clerk_trace_id: "trace_1" },
});

export async function startFakeClerk(): Promise<FakeClerk> {
  const world = {
    users: [] as FakeUser[],
    sessions: [] as FakeSession[],
    asked: [] as string[],
    misdeeds: [] as Misdeed[],
  };

  function answer(method: string, url: URL): Answer {
    const { searchParams: query, pathname } = url;
    const ids = query.getAll("user_id");
    const chosen = world.users.filter(({ id }) => ids.includes(id));
    if (pathname === "/v1/users/count")
      return { status: 200, body: { object: "total_count", total_count: chosen.length } };
    if (pathname === "/v1/users") {
      if (ids.length > 100) return refusal(422, "form_param_exceeds_allowed_size");
      const limit = Number(query.get("limit") ?? 10);
      return { status: 200, body: chosen.slice(0, limit).map((user) => ({ object: "user", ...user })) };
    }
    if (pathname === "/v1/sessions") return sessionList(query);
    const [, id, verb] = /^\/v1\/sessions\/([^/]+)(?:\/(\w+))?$/.exec(pathname) ?? [];
    return aboutSession(id, method === "POST" ? verb : undefined);
  }

  function sessionList(query: URLSearchParams): Answer {
    const found = world.sessions.filter(
      (one) => one.user_id === query.get("user_id") && shownStatus(one) === query.get("status"),
    );
    const data = found
      .slice(0, Number(query.get("limit") ?? 10))
      .map((one) => ({ object: "session", ...one }));
    return { status: 200, body: { data, total_count: found.length } };
  }

  function aboutSession(id: string | undefined, verb: string | undefined): Answer {
    const session = world.sessions.find((one) => one.id === id);
    if (!session) return refusal(404, "resource_not_found");
    if (verb === "revoke") {
      if (session.status === "stuck" || session.status === "revoked") return refusal(400, "not_revocable");
      if (session.status !== "endless") session.status = "revoked";
    }
    return { status: 200, body: { object: "session", ...session, status: shownStatus(session) } };
  }

  function respond(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", "http://peer.invalid");
    world.asked.push(`${request.method} ${url.pathname}${url.search}`);
    const misdeed = world.misdeeds.shift();
    if (misdeed && misdeed.kind !== "status") {
      misbehave(misdeed.kind, response);
      return;
    }
    const authorised = request.headers.authorization === `Bearer ${peerSecretKey}`;
    const said = misdeed
      ? refusal(misdeed.status, "told_to")
      : authorised
        ? answer(request.method ?? "GET", url)
        : refusal(401, "authentication_invalid");
    if (misdeed?.retryAfter !== undefined) response.setHeader("Retry-After", misdeed.retryAfter);
    response.writeHead(said.status, { "Content-Type": "application/json" }).end(JSON.stringify(said.body));
  }

  const server = createServer(respond).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    ...world,
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function misbehave(kind: Exclude<Misdeed["kind"], "status">, response: ServerResponse): void {
  if (kind === "cut") response.destroy();
  if (kind === "noJson")
    response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Back in a moment</h1>");
  if (kind === "otherShape")
    response.writeHead(200, { "Content-Type": "application/json" }).end('{"data":[{"id":7}]}');
}
