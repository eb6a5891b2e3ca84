import { type Request, type RequestHandler, type Response, raw } from "express";
import { malformed, Problem } from "../errors/problem.ts";

/** The largest body a customer's request may have, in bytes: the longest form is under 8 KB. */
const largestJson = 64 * 1024;
const largestNotice = 256 * 1024;

const readBytes = raw({ limit: largestJson, type: () => true });
const readNotice = raw({ limit: largestNotice, type: () => true });

const json = /^application\/json\s*(;|$)/i;
const otherCharset = /;\s*charset\s*=\s*(?!"?utf-8"?\s*(;|$))/i;

/**
 * Parses a JSON body into `request.body`; without a body, `{}`. Invalid UTF-8 is refused: a lenient parser would send
 * replacement characters to the GRO.
 * @throws Problem 415 for anything but JSON in UTF-8 (other sites' forms cannot send it); 400 for an unreadable body
 */
export async function readJson(request: Request, response: Response): Promise<void> {
  const empty =
    request.headers["transfer-encoding"] === undefined && !Number(request.headers["content-length"]);
  const type = request.headers["content-type"] ?? "";
  if (!(empty && type === "") && (!json.test(type) || otherCharset.test(type))) {
    throw new Problem(
      "unsupported-media-type",
      "The body must be JSON in UTF-8 (Content-Type: application/json).",
    );
  }
  const bytes = await bytesOf(readBytes, request, response);
  request.body = bytes.length === 0 ? {} : parse(bytes);
}

/** Keeps the raw bytes, which a signature covers. */
export const readRaw = (request: Request, response: Response): Promise<Buffer> =>
  bytesOf(readNotice, request, response);

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw malformed("The body must be valid UTF-8 JSON.", cause);
  }
}

function bytesOf(read: RequestHandler, request: Request, response: Response): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    read(request, response, (fault?: unknown) => {
      if (fault === undefined) resolve(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0));
      else reject(fault);
    });
  });
}
