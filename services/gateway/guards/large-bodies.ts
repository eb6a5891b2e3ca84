import type { Request, Response } from "express";
import { malformed, Problem } from "../errors/problem.ts";
import { addressOf } from "./client-address.ts";
import { shares } from "./shares.ts";

/** A large body is in memory several times over while it is taken: so many at a time in a process, or of an address. */
const mostAtATime = 8;
const mostOfOneAddress = 2;

/** What must have come by the end of each period: 52 kbit/s. A place would otherwise be kept by a byte a minute. */
const pace = { bytes: 64 * 1024, everyMs: 10_000 };

const places = shares(mostOfOneAddress);
let taken = 0;

type Most = {
  readonly bytes: number;
  /**
   * Bytes that base64 does not have, of which a body has few apart from its files. What JSON costs beyond its text is
   * the values and keys in it, each with such a byte, and what a text costs is its control characters and escapes: 13
   * MB of `{},` took 1.5 s of the main thread and 400 MB, and 13 MB of control characters 2.7 s.
   */
  readonly bytesBesideFiles: number;
};

/**
 * Reads a body with files, counting as it comes.
 * @throws Problem 413 for a body that is too large, altogether or beside its files; 429 while its address sends two,
 * 503 while there is no place; 400 when it comes too slowly, or the client leaves
 */
export async function readLarge(request: Request, response: Response, most: Most): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > most.bytes) throw tooLarge();
  const leave = takePlace(request, response);
  response.once("close", leave);
  try {
    return await received(request, most);
  } catch (error) {
    // Its answer may have to wait for the rest of the body.
    leave();
    throw error;
  }
}

function takePlace(request: Request, response: Response): () => void {
  // Its client left while the request was counted: a place would never be given back.
  if (response.destroyed) throw malformed("The request cannot be read.");
  if (taken >= mostAtATime) {
    throw new Problem("busy", "Too many files are being sent to us: please try again.", {
      headers: { "Retry-After": "10" },
    });
  }
  const giveBack = places.take(addressOf(request.ip ?? ""));
  if (!giveBack) {
    throw new Problem("too-many-requests", "Other files are being sent from your network: please wait.", {
      headers: { "Retry-After": "10" },
    });
  }
  taken += 1;
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    taken -= 1;
    giveBack();
  };
}

function received(request: Request, most: Most): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let bytesBesideFiles = 0;
  let periods = 0;
  return new Promise((resolve, reject) => {
    const keep = (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      bytesBesideFiles += bytesBesideBase64(chunk);
      if (bytes > most.bytes || bytesBesideFiles > most.bytesBesideFiles) refuse(tooLarge());
    };
    const watch = setInterval(() => {
      periods += 1;
      if (bytes < periods * pace.bytes) refuse(tooSlow());
    }, pace.everyMs);
    const end = () => {
      stop();
      resolve(Buffer.concat(chunks));
    };
    const left = (cause?: unknown) => {
      stop();
      reject(malformed("The request cannot be read.", cause));
    };
    const stop = () => {
      clearInterval(watch);
      request.off("data", keep).off("end", end).off("error", left).off("close", left);
    };
    const refuse = (problem: Problem) => {
      stop();
      // The rest is dropped: a client that is still sending would not see the answer.
      request.resume();
      reject(problem);
    };
    request.on("data", keep).on("end", end).on("error", left).on("close", left);
  });
}

/** 1 for each byte that base64 does not have. */
const besideBase64 = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[A-Za-z0-9+/=]/.test(String.fromCharCode(byte)) ? 0 : 1,
);

/** By index: 15 ms for 13 MB, where `for … of` takes 130. */
function bytesBesideBase64(chunk: Buffer): number {
  let count = 0;
  for (let at = 0; at < chunk.length; at += 1) count += besideBase64[chunk[at] ?? 0] ?? 0;
  return count;
}

const tooLarge = () => new Problem("body-too-large", "The body is too large.");

const tooSlow = () =>
  new Problem(
    "malformed-request",
    "Your files are uploading too slowly. Please try again, or send fewer at a time.",
    { headers: { Connection: "close" } },
  );
