import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { median, quantile } from "../../figures.ts";

/** A request as it goes over the wire. */
export type WireRequest = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
  /** The customer's address, as a proxy would report it: requests are limited by address. */
  readonly from?: string;
};

export type Called = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

type Load = {
  readonly port: number;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  readonly next: () => WireRequest;
  /** Milliseconds; the process's own unless given. */
  readonly nowMs?: () => number;
  /** Called with each answer's body, warm-up included. */
  readonly onAnswer?: (body: string) => void;
};

/**
 * Sends requests over kept connections, each waiting for its answer, from one process. Sockets are driven directly,
 * because Node's HTTP client would cost more than the servers that are compared.
 * @throws Error on a status other than 2xx, or an answer without Content-Length
 */
export async function callFor({
  port,
  connections,
  warmUpMs,
  measureMs,
  next,
  nowMs = () => performance.now(),
  onAnswer,
}: Load): Promise<Called> {
  const from = nowMs() + warmUpMs;
  const to = from + measureMs;
  const latenciesMs: number[] = [];
  await Promise.all(
    Array.from({ length: connections }, async () => {
      await using connection = await openConnection(port);
      while (nowMs() < to) {
        const began = nowMs();
        const body = await connection.ask(next());
        onAnswer?.(body);
        const now = nowMs();
        if (began >= from && now < to) latenciesMs.push(now - began);
      }
    }),
  );
  return {
    perSecond: (latenciesMs.length / measureMs) * 1000,
    p50Ms: median(latenciesMs),
    p99Ms: quantile(latenciesMs, 0.99),
  };
}

/** A kept connection, for one request at a time. */
export async function openConnection(port: number) {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  await once(socket, "connect");
  return {
    ask: (request: WireRequest) => exchange(socket, request),
    [Symbol.asyncDispose]: async () => {
      socket.destroy();
    },
  };
}

function exchange(socket: Socket, request: WireRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const settle = () => {
      socket.off("data", onData).off("close", onClose).off("error", onClose);
    };
    const onClose = () => {
      settle();
      reject(new Error(`The connection ended before ${request.method} ${request.path} was answered.`));
    };
    // One that has closed says so no more.
    if (socket.destroyed) {
      onClose();
      return;
    }
    const onData = (chunk: Buffer) => {
      received += chunk.toString("latin1");
      const answer = wholeAnswer(received);
      if (answer === undefined) return;
      settle();
      if (answer.status >= 200 && answer.status < 300) resolve(answer.body);
      else
        reject(
          new Error(`${request.method} ${request.path} was answered with ${answer.status}: ${answer.body}`),
        );
    };
    socket.on("data", onData).on("close", onClose).on("error", onClose);
    socket.write(wireText(request));
  });
}

function wireText({ method, path, body = "", from }: WireRequest): string {
  const address = from === undefined ? "" : `X-Forwarded-For: ${from}\r\n`;
  const content =
    method === "GET"
      ? ""
      : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${address}${content}\r\n${body}`;
}

/** Undefined until all of it has come. */
function wholeAnswer(received: string): { readonly status: number; readonly body: string } | undefined {
  const headEnds = received.indexOf("\r\n\r\n");
  if (headEnds < 0) return undefined;
  const head = received.slice(0, headEnds);
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (length === undefined) throw new Error(`An answer has no Content-Length: ${head}`);
  const body = received.slice(headEnds + 4);
  if (body.length < Number(length)) return undefined;
  return { status: Number(head.slice(9, 12)), body };
}
