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
 * Reads a JSON body into `request.body`; a request without one has `{}`. Bytes that are no UTF-8 are refused, where a lenient reader
 * would put a mark in the place of what somebody typed and send that to the GRO.
 * @throws Problem 415 for anything but JSON in UTF-8 (forms of other sites can only send other types); 400 for what cannot be read
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

/** Reads the bytes as they came: a signature covers them and nothing else. */
export const readRaw = (request: Request, response: Response): Promise<Buffer> =>
  bytesOf(readNotice, request, response);

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw malformed("The body is no JSON in UTF-8.", cause);
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
