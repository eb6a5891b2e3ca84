import { type Request, type RequestHandler, type Response, raw } from "express";
import * as z from "zod/mini";
import type { Schema } from "../../../contract/request.ts";
import type { CalendarDate } from "../../../domain/calendar-date.ts";
import { londonDate } from "../../../domain/promise/london-time.ts";
import { invalidFields, malformed, Problem } from "../errors/problem.ts";
import { readLarge } from "./large-bodies.ts";

/**
 * The largest body a customer's request may have, in bytes. The longest is an order of ten certificates that is saved
 * for later, which has a limit of its own below this one; a single form is under 8 KB.
 */
const largestJson = 64 * 1024;
const largestNotice = 256 * 1024;

const readBytes = (limit: number) => raw({ limit, type: () => true });
const readUsual = readBytes(largestJson);
const readNotice = readBytes(largestNotice);

const json = /^application\/json\s*(;|$)/i;
const otherCharset = /;\s*charset\s*=\s*(?!"?utf-8"?\s*(;|$))/i;

/**
 * Parses a JSON body into `request.body`; without a body, `{}`. Invalid UTF-8 is refused: a lenient parser would send
 * replacement characters to the GRO.
 * @param mostBytes of a body with files, which is not compressed
 * @throws Problem 415 for anything but JSON in UTF-8 (other sites' forms cannot send it); 400 for an unreadable body; and
 * as `readLarge`
 * @returns the bytes of a body that only a request with files may have, else 0
 */
export async function readJson(request: Request, response: Response, mostBytes?: number): Promise<number> {
  const empty =
    request.headers["transfer-encoding"] === undefined && !Number(request.headers["content-length"]);
  const type = request.headers["content-type"] ?? "";
  if (!(empty && type === "") && (!json.test(type) || otherCharset.test(type))) {
    throw new Problem(
      "unsupported-media-type",
      "The body must be JSON in UTF-8 (Content-Type: application/json).",
    );
  }
  const bytes = empty ? noBytes : await bytesIn(request, response, mostBytes);
  request.body = bytes.length === 0 ? {} : parse(bytes);
  return bytes.length > largestJson ? bytes.length : 0;
}

const noBytes = Buffer.alloc(0);

function bytesIn(request: Request, response: Response, mostBytes?: number): Buffer | Promise<Buffer> {
  if (isShortAndPlain(request)) return receivedWhole(request) ?? received(request);
  if (mostBytes === undefined || request.headers["content-encoding"] !== undefined)
    return bytesOf(readUsual, request, response);
  return readLarge(request, response, { bytes: mostBytes, bytesBesideFiles: largestJson });
}

/** Keeps the raw bytes, which a signature covers. */
export const readRaw = (request: Request, response: Response): Promise<Buffer> =>
  bytesOf(readNotice, request, response);

/** Neither compressed nor in chunks, and of an allowed length: Node reads exactly that many bytes. */
function isShortAndPlain({ headers }: Request): boolean {
  const isAsItIs = headers["content-encoding"] === undefined && headers["transfer-encoding"] === undefined;
  return isAsItIs && Number(headers["content-length"]) <= largestJson;
}

/** A body that came with its headers, as most do: it needs no listeners. Undefined while some of it is under way. */
function receivedWhole(request: Request): Buffer | undefined {
  const bytes: unknown = request.complete ? request.read() : undefined;
  return Buffer.isBuffer(bytes) ? bytes : undefined;
}

/**
 * What all usual requests send. In a profile of lookups Express's own reader took as long as the query.
 * @throws Problem 400 when the client leaves before the end
 */
function received(request: Request): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const left = (cause?: unknown) => reject(malformed("The request cannot be read.", cause));
    if (request.destroyed) return left();
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .once("end", () => {
        request.off("close", left);
        resolve(Buffer.concat(chunks));
      })
      .once("error", left)
      .once("close", left);
  });
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (cause) {
    throw malformed("The body must be valid UTF-8 JSON.", cause);
  }
}

function bytesOf(read: RequestHandler, request: Request, response: Response): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    read(request, response, (fault?: unknown) => {
      if (fault === undefined) resolve(Buffer.isBuffer(request.body) ? request.body : noBytes);
      else reject(fault);
    });
  });
}

/**
 * Parses a body by its schema.
 * @throws Problem 400 for anything but a JSON object, or text with invalid Unicode or a null character; 422 with the
 * form's message for each field
 */
export function validate<Asked extends Schema>(schema: Asked, body: unknown): z.output<Asked> {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw malformed("The body must be a JSON object.");
  }
  const parsed = z.safeParse(schema, body);
  if (parsed.success) {
    // Parsed values are checked too: JSON inside a string shows its text only then.
    if (!isWholeText([body, parsed.data]))
      throw malformed("The body contains invalid Unicode or a null character.");
    return parsed.data;
  }
  const errors = new Map<string, string>();
  for (const issue of parsed.error.issues) {
    const field = issue.path.map(String).join(".");
    // The form shows a field's first message.
    if (!errors.has(field)) errors.set(field, wordsOf(issue));
  }
  throw invalidFields(Object.fromEntries(errors));
}

/** Replaces the parser's own messages, which address programmers, with the specification's generic ones. */
function wordsOf({ message }: z.core.$ZodIssue): string {
  if (/^Invalid input: .* received undefined$/.test(message)) return "Required";
  return /^(Invalid|Too|Unrecognized) .*: /.test(message) ? "Invalid input" : message;
}

const key = /^[\w.:-]{16,128}$/;

/** @throws Problem 400 if the key is short enough for two customers to choose the same */
export function validateIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || key.test(header)) return header;
  throw malformed(
    "Idempotency-Key must be 16 to 128 characters: letters, digits or - _ . : (such as a UUID).",
  );
}

/** The order's id in lower case; undefined if malformed. */
export function orderIdIn(value: unknown): string | undefined {
  const id = typeof value === "string" ? value.toLowerCase() : "";
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : undefined;
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/**
 * Whether all text in parsed JSON can be stored: a lone surrogate survives JSON, but not UTF-8 or canonical JSON; a
 * null character survives both, but not Postgres. Not recursive: JSON may be nested deeper than the stack.
 */
function isWholeText(json: unknown): boolean {
  const unseen: unknown[] = [json];
  while (unseen.length > 0) {
    const value = unseen.pop();
    if (typeof value === "string" && !isStorable(value)) return false;
    if (typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value) && !Object.keys(value).every(isStorable)) return false;
    for (const member of Object.values(value)) unseen.push(member);
  }
  return true;
}

/** Computes a value once per day, by the date in London. */
export function onceADay<Made>(now: () => Date, make: (today: CalendarDate) => Made): () => Made {
  let kept: { readonly today: CalendarDate; readonly made: Made } | undefined;
  return () => {
    const today = londonDate(now().toISOString());
    if (kept?.today !== today) kept = { today, made: make(today) };
    return kept.made;
  };
}
