import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Witness } from "./witness.ts";

/** A note has 64 KiB at most, and a proof 63 lines. */
const mostBytes = 72 * 1024;

/**
 * Serves a witness at `POST /add-checkpoint`; it does not listen yet.
 * @param onError called when it could not answer, such as for a full disk
 */
export function createWitnessServer(witness: Witness, onError: (error: unknown) => void): Server {
  const server = createServer(
    { requestTimeout: 10_000, headersTimeout: 5_000, keepAliveTimeout: 90_000, maxHeaderSize: 8 * 1024 },
    (request, response) => {
      answer(witness, request, response).catch((error: unknown) => {
        onError(error);
        if (response.headersSent) response.destroy();
        else plain(response, 500, "The witness could not do this. Try again later.");
      });
    },
  );
  server.maxConnections = 200;
  return server;
}

async function answer(witness: Witness, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path] = (request.url ?? "").split("?");
  if (path !== "/add-checkpoint") return plain(response, 404, "There is only POST /add-checkpoint.");
  if (request.method !== "POST") {
    response.setHeader("Allow", "POST");
    return plain(response, 405, "There is only POST /add-checkpoint.");
  }
  const body = await bodyOf(request);
  if (body === undefined) {
    response.setHeader("Connection", "close");
    return plain(response, 413, "The request is too large.");
  }
  const { status, type, body: said } = await witness.add(body);
  response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(said);
}

function plain(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" }).end(`${words}\n`);
}

/** Undefined when it is too large. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    const chunk = Buffer.from(part);
    bytes += chunk.length;
    if (bytes > mostBytes) return undefined;
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString("utf8");
}
