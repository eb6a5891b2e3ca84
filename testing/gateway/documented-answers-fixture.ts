import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { IncomingMessage, ServerResponse } from "node:http";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { JsonObject } from "../../infra/json.ts";
import { apiDocument } from "../../services/gateway/document/api-document.ts";
import type { Route } from "../../services/gateway/route.ts";

/** An answer as sent. */
export type SeenAnswer = {
  readonly method: string;
  /** As Express matched it, `/api/orders/:id`; undefined when no route took the request. */
  readonly pattern: string | undefined;
  readonly status: number;
  /** Without its parameters; empty when there is none. */
  readonly contentType: string;
  readonly requestId: string | undefined;
  readonly body: string;
};

/** The difference between an answer and the document; undefined when they agree. */
export type HoldToDocument = (answer: SeenAnswer) => string | undefined;

const tilde = (part: string): string => encodeURIComponent(part.replace(/~/g, "~0").replace(/\//g, "~1"));

/** Problems without a route: an unknown address, a wrong method, an address that cannot be decoded. */
const problemOfNoRoute: Readonly<Record<number, string>> = {
  400: "MalformedRequestProblem",
  404: "NotFoundProblem",
  405: "MethodNotAllowedProblem",
};

/** Compares answers with the document of these routes. */
export function holdToDocument(document: JsonObject): HoldToDocument {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: false });
  formats.default(ajv);
  ajv.addSchema({ ...document, $id: "api" });
  const has = (...parts: string[]): boolean => {
    let at: unknown = document;
    for (const part of parts) {
      if (typeof at !== "object" || at === null || !Object.hasOwn(at, part)) return false;
      at = Object.entries(at).find(([name]) => name === part)?.[1];
    }
    return true;
  };
  const validatorAt = (...parts: string[]): ValidateFunction | undefined =>
    ajv.getSchema(`api#/${parts.map(tilde).join("/")}`);

  function shape(body: string, validate: ValidateFunction | undefined): string | undefined {
    if (validate === undefined) return "has no schema";
    if (validate(JSON.parse(body))) return undefined;
    return `does not fit: ${ajv.errorsText(validate.errors)}: ${body.slice(0, 300)}`;
  }

  function ofNoRoute({ status, body }: SeenAnswer): string | undefined {
    const name = problemOfNoRoute[status];
    return name === undefined
      ? "comes from no route"
      : shape(body, validatorAt("components", "schemas", name));
  }

  function ofRoute(path: string, answer: SeenAnswer): string | undefined {
    const { method, status, contentType, body } = answer;
    const at = ["paths", path, method.toLowerCase(), "responses", String(status)];
    if (!has(...at)) return `has an undocumented status (${body.slice(0, 200)})`;
    if (!has(...at, "content")) return body === "" ? undefined : "has a body, and none is documented";
    const content = [...at, "content", contentType];
    if (!has(...content)) return `is of an undocumented type, ${contentType}`;
    return isShaped(answer) ? shape(body, validatorAt(...content, "schema")) : undefined;
  }

  return (answer) => {
    if (answer.requestId === undefined) return "has no Request-Id";
    if (answer.pattern === undefined) return ofNoRoute(answer);
    return ofRoute(answer.pattern.replace(/[:*](\w+)/g, "{$1}"), answer);
  };
}

let held: HoldToDocument | undefined;

/** Compares with what is documented for every gateway. Made once: it takes longer than most tests. */
const holdToOurs = (routes: readonly Route[]): HoldToDocument => {
  held ??= holdToDocument(apiDocument(routes, "http://localhost:3000"));
  return held;
};

// A customer's data export is a file to keep: its JSON is not an interface.
const isShaped = ({ contentType, pattern, status }: SeenAnswer): boolean =>
  /json$/.test(contentType) && !(status === 200 && pattern === "/api/admin/customers/:id/export");

/** Watches the answers of servers in this process. */
type Watch = {
  /** Ends watching. @throws Error naming every answer that the document does not allow */
  close(): void;
};

const channel = "http.server.request.start";

/**
 * Makes every test that goes through a gateway a test of its document: each answer to a route of the API must have a
 * documented status, type and shape.
 */
export function watchAnswers(options: { readonly port: number; readonly routes: readonly Route[] }): Watch {
  const findings = new Map<string, number>();

  function look(request: IncomingMessage, response: ServerResponse, body: string): void {
    const answer = answerOf(request, response, body);
    const finding = holdToOurs(options.routes)(answer);
    if (finding === undefined) return;
    const line = `${answer.method} ${answer.pattern ?? "(no route)"} ${answer.status} ${finding}`;
    findings.set(line, (findings.get(line) ?? 0) + 1);
  }

  function started(message: unknown): void {
    const { request, response } = partsOf(message);
    if (!request || !response || request.socket.localPort !== options.port || !isOfApi(request)) return;
    const bytes = keepBytes(response);
    response.once("finish", () => look(request, response, Buffer.concat(bytes).toString("utf8")));
  }

  subscribe(channel, started);
  return {
    close() {
      unsubscribe(channel, started);
      if (findings.size === 0) return;
      const lines = [...findings].map(([line, times]) => `${line} (${times} times)`);
      throw new Error(`The API's document does not allow:\n${lines.join("\n")}`);
    },
  };
}

function partsOf(message: unknown): { request?: IncomingMessage; response?: ServerResponse } {
  if (typeof message !== "object" || message === null) return {};
  const { request, response }: { request?: unknown; response?: unknown } = message;
  return {
    ...(request instanceof IncomingMessage && { request }),
    ...(response instanceof ServerResponse && { response }),
  };
}

const isOfApi = ({ method, url = "" }: IncomingMessage): boolean =>
  (method === "GET" || method === "POST") &&
  /^\/(api|transparency)\//.test(url) &&
  !url.startsWith("/api/docs");

/** What a response writes from now on. */
function keepBytes(response: ServerResponse): Buffer[] {
  const bytes: Buffer[] = [];
  const keep = (chunk: unknown): void => {
    if (typeof chunk === "string") bytes.push(Buffer.from(chunk));
    else if (chunk instanceof Uint8Array) bytes.push(Buffer.from(chunk));
  };
  const watched = <Work extends (...given: never[]) => unknown>(work: Work): Work =>
    new Proxy(work, {
      apply(target, self, given) {
        keep(given[0]);
        return Reflect.apply(target, self, given);
      },
    });
  response.write = watched(response.write);
  response.end = watched(response.end);
  return bytes;
}

function answerOf(request: IncomingMessage, response: ServerResponse, body: string): SeenAnswer {
  const [contentType = ""] = (headerOf(response, "Content-Type") ?? "").split(";");
  return {
    method: request.method ?? "",
    pattern: patternOf(request),
    status: response.statusCode,
    contentType,
    requestId: headerOf(response, "Request-Id"),
    body,
  };
}

/** From the head as it was sent: `getHeader` does not know what was given to `writeHead`. */
function headerOf(response: ServerResponse, name: string): string | undefined {
  const head = String(Reflect.get(response, "_header"));
  return new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1];
}

function patternOf(request: IncomingMessage & { route?: unknown }): string | undefined {
  const { route } = request;
  if (typeof route !== "object" || route === null || !("path" in route)) return undefined;
  return typeof route.path === "string" ? route.path : undefined;
}
