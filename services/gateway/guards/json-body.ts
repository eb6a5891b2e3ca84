import { json, type Request, type Response, raw } from "express";
import { malformed, Problem } from "../problem.ts";

/** The largest body a customer's request may have, in bytes: the longest form is under 8 KB. */
const largestJson = 64 * 1024;
const largestNotice = 256 * 1024;

const parseJson = json({ limit: largestJson, strict: true, type: "application/json" });
const parseRaw = raw({ limit: largestNotice, type: () => true });

/**
 * Reads a JSON body into `request.body`; a request without one has `{}`.
 * @throws Problem 415 for anything but JSON (forms of other sites can only send other types); 400 for text that is no Unicode
 */
export async function readJson(request: Request, response: Response): Promise<void> {
  const empty =
    request.headers["transfer-encoding"] === undefined && !Number(request.headers["content-length"]);
  const type = request.headers["content-type"];
  if (!(empty && type === undefined) && !request.is("application/json") && !isJson(type)) {
    throw new Problem(
      415,
      "unsupported-media-type",
      "The body must be JSON (Content-Type: application/json).",
    );
  }
  await run(parseJson, request, response);
  request.body ??= {};
  // Half a surrogate pair survives JSON, but neither UTF-8 nor canonical JSON.
  if (!isUnicode(request.body)) throw malformed("The body holds text that is no Unicode.");
}

/** Reads the bytes as they came: a signature covers them and nothing else. */
export async function readRaw(request: Request, response: Response): Promise<Buffer> {
  await run(parseRaw, request, response);
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/** Whether all text in parsed JSON is whole. Not recursive: JSON may be nested deeper than the stack. */
function isUnicode(json: unknown): boolean {
  const unseen: unknown[] = [json];
  while (unseen.length > 0) {
    const value = unseen.pop();
    if (typeof value === "string" && !value.isWellFormed()) return false;
    if (typeof value !== "object" || value === null) continue;
    for (const member of Object.entries(value)) unseen.push(...member);
  }
  return true;
}

// `request.is` answers null when there is no body, whatever the type says.
function isJson(type: string | undefined): boolean {
  return /^application\/json\s*(;|$)/i.test(type ?? "");
}

function run(parse: ReturnType<typeof json>, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    parse(request, response, (fault?: unknown) => (fault === undefined ? resolve() : reject(fault)));
  });
}
