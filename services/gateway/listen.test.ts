import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { ErrorRequestHandler, Request } from "express";
import express from "express";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { Problem } from "./errors/problem.ts";
import { shareRequests } from "./guards/shares.ts";
import { type Listening, listen, usualPatience } from "./listen.ts";

let listening: Listening;
afterEach(() => listening.close());

const impatient = {
  ...usualPatience,
  headersMs: 200,
  requestMs: 400,
  silenceMs: 300,
  checkEveryMs: 50,
  drainMs: 200,
};
const start = async (app: Parameters<typeof listen>[0], patience = impatient) => {
  listening = await listen(app, "127.0.0.1", 0, patience);
};

/** Sends text, then `drip` every 20 ms. Answers what came back once the server has hung up. */
function dawdle(text: string, drip = "", onOpen: (socket: Socket) => void = () => undefined) {
  return new Promise<string>((resolve) => {
    let received = "";
    let dripping: NodeJS.Timeout | undefined;
    const socket = connect(listening.port, "127.0.0.1", () => {
      socket.write(text);
      // What is written before the connection is open would be sent before the text.
      dripping = setInterval(() => drip && socket.writable && socket.write(drip), 20);
    });
    socket.on("data", (bytes) => {
      received += bytes;
    });
    socket.on("error", () => undefined);
    socket.once("close", () => {
      clearInterval(dripping);
      resolve(received);
    });
    onOpen(socket);
  });
}

describe("A client that dawdles", () => {
  const reading: Parameters<typeof listen>[0] = (request, response) => {
    request.resume().once("end", () => response.end("read"));
  };

  test.each([
    ["over its headers", "GET / HTTP/1.1\r\nHost: a\r\nX: "],
    ["over its body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n"],
  ])("%s is hung up on", async (_, text) => {
    await start(reading);
    expect(await dawdle(text, "a")).toContain("408 Request Timeout");
  });

  test("over nothing is answered", async () => {
    await start(reading);
    const answered = await dawdle("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    expect(answered).toMatch(/200 OK[\s\S]*read$/);
  });

  test("and never reads its answer is hung up on", async () => {
    let closed: (() => void) | undefined;
    const hungUp = new Promise<void>((resolve) => {
      closed = resolve;
    });
    await start((_request, response) => {
      response.socket?.once("close", () => closed?.());
      response.end(Buffer.alloc(64 * 1024 * 1024));
    });
    const socket = connect(listening.port, "127.0.0.1", () =>
      socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
    );
    socket.pause().on("error", () => undefined);
    await hungUp;
    socket.destroy();
  });
});

describe("A client too many", () => {
  test("is turned away, and one more is served when another has gone", async () => {
    await start((_request, response) => response.end("served"), {
      ...usualPatience,
      drainMs: 200,
      mostConnections: 1,
    });
    const ask = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    const first = connect(listening.port, "127.0.0.1");
    await new Promise((resolve) => first.once("connect", resolve));
    expect(await dawdle(ask)).toBe("");
    first.destroy();
    await expect.poll(() => dawdle(ask)).toContain("served");
  });
});

describe("An address with half-sent requests", () => {
  const half = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n";
  const ask = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  const served: Parameters<typeof listen>[0] = (_request, response) => void response.end("served");

  /** Opens a connection from an address of this machine, sends text, and answers what comes of it. */
  async function open(localAddress: string, text: string) {
    const socket = connect({ port: listening.port, host: "127.0.0.1", localAddress });
    onTestFinished(() => void socket.destroy());
    const opened = { socket, received: "", isClosed: false };
    socket.on("data", (bytes) => {
      opened.received += bytes;
    });
    socket
      .on("error", () => undefined)
      .once("close", () => {
        opened.isClosed = true;
      });
    await once(socket, "connect");
    socket.write(text);
    return opened;
  }

  test("holds no more than its share, and everybody else is served", async () => {
    await start(served, { ...usualPatience, drainMs: 200, mostConnections: 60, mostOfOneAddress: 20 });
    const held = await Promise.all(Array.from({ length: 100 }, () => open("127.0.0.2", half)));
    await expect.poll(() => held.filter(({ isClosed }) => isClosed).length).toBe(80);
    const other = await open("127.0.0.3", ask);
    await expect.poll(() => other.received).toContain("served");
    const own = await open("127.0.0.2", ask);
    await expect.poll(() => own.isClosed).toBe(true);
    expect(own.received).toBe("");
    // It gets room again once it lets go.
    held.find(({ isClosed }) => !isClosed)?.socket.destroy();
    await expect
      .poll(async () => {
        const again = await open("127.0.0.2", ask);
        await once(again.socket, "close");
        return again.received;
      })
      .toContain("served");
  });

  test("behind a proxy is the customer that the proxy names, and the proxy itself is none", async () => {
    const app = express().set("trust proxy", 1).use(shareRequests(3));
    app.get("/", (_request, response) => void response.send("served"));
    app.use((request: Request) => void request.resume());
    app.use(((error, _request, response, _next) => {
      response.status(error instanceof Problem ? error.status : 500).end();
    }) satisfies ErrorRequestHandler);
    await start(app, { ...usualPatience, drainMs: 200, mostOfOneAddress: null });
    const of = (customer: string, text: string) =>
      text.replace("Host: a", `Host: a\r\nX-Forwarded-For: ${customer}`);
    const held = await Promise.all(
      Array.from({ length: 8 }, () => open("127.0.0.1", of("198.51.100.7", half))),
    );
    await expect.poll(() => held.filter(({ received }) => received.includes(" 429 ")).length).toBe(5);
    const other = await open("127.0.0.1", of("198.51.100.8", ask));
    await expect.poll(() => other.received).toContain("served");
    // A client that names another address itself is known by the last, which the proxy wrote.
    const liar = await open("127.0.0.1", of("198.51.100.9, 198.51.100.7", ask));
    await expect.poll(() => liar.received).toContain(" 429 ");
    const proxy = await Promise.all(Array.from({ length: 10 }, () => open("127.0.0.1", ask)));
    await expect.poll(() => proxy.filter(({ received }) => received.includes("served")).length).toBe(10);
  });
});

describe("Stopping", () => {
  test("ends a connection with the answer it waits for, and does not wait for another question", async () => {
    const begun = Promise.withResolvers<() => void>();
    await start((_request, response) => begun.resolve(() => response.end("finished")), usualPatience);
    const answered = dawdle("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    const answer = await begun.promise;
    const closed = listening.close();
    answer();
    expect(await answered).toMatch(/Connection: close[\s\S]*finished/);
    await closed;
  });

  test("cuts what is not finished in time", async () => {
    await start(() => undefined, { ...usualPatience, drainMs: 100 });
    let asked: Promise<string> | undefined;
    await new Promise((resolve) => {
      asked = dawdle("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "", (socket) => socket.once("connect", resolve));
    });
    await listening.close();
    expect(await asked).toBe("");
  });
});
