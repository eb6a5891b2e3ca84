import { json, type Request, type Response, raw } from "express";
import { Problem } from "../problem.ts";

/** The largest body a customer's request may have, in bytes: the longest form is under 8 KB. */
const largestJson = 64 * 1024;
const largestNotice = 256 * 1024;

const parseJson = json({ limit: largestJson, strict: true, type: "application/json" });
const parseRaw = raw({ limit: largestNotice, type: () => true });

/**
 * Reads a JSON body into `request.body`; a request without one has `{}`.
 * @throws Problem 415 for anything but JSON: forms of other sites can only send other types
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
}

/** Reads the bytes as they came: a signature covers them and nothing else. */
export async function readRaw(request: Request, response: Response): Promise<Buffer> {
  await run(parseRaw, request, response);
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
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
