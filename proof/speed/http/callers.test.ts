import { createServer, type RequestListener } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { callFor } from "./callers.ts";

async function serve(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}

/** A millisecond passes each time that it is asked for. */
function load() {
  let ms = 0;
  return { connections: 4, warmUpMs: 10, measureMs: 150, nowMs: () => ms++ };
}

test("Counts what is answered, on kept connections, from the address of each customer", async () => {
  const sockets = new Set<unknown>();
  const from = new Set<unknown>();
  let answered = 0;
  const port = await serve((request, response) => {
    sockets.add(request.socket);
    from.add(request.headers["x-forwarded-for"]);
    answered += 1;
    response.setHeader("Content-Length", 5).end("Mair!");
  });
  const bodies: string[] = [];
  let customers = 0;
  const { perSecond, p50Ms, p99Ms } = await callFor({
    ...load(),
    port,
    next: () => ({ method: "POST", path: "/", body: "{}", from: `198.18.0.${customers++ % 200}` }),
    onAnswer: (body) => bodies.push(body),
  });
  expect(new Set(bodies)).toEqual(new Set(["Mair!"]));
  expect(bodies).toHaveLength(answered);
  expect(perSecond).toBeGreaterThan(0);
  expect(perSecond).toBeLessThanOrEqual(answered / 0.15);
  expect(p99Ms).toBeGreaterThanOrEqual(p50Ms);
  expect(sockets.size).toBe(4);
  expect(from.size).toBeGreaterThan(4);
});

test("Fails on a refusal, whose answers would be fast", async () => {
  const port = await serve((_, response) => response.writeHead(429, { "Content-Length": 4 }).end("wait"));
  await expect(
    callFor({ ...load(), port, next: () => ({ method: "GET", path: "/orders" }) }),
  ).rejects.toThrow("GET /orders was answered with 429: wait");
});

test("Fails when a connection ends early", async () => {
  const port = await serve((request) => request.socket.destroy());
  await expect(callFor({ ...load(), port, next: () => ({ method: "GET", path: "/" }) })).rejects.toThrow(
    "The connection ended before GET / was answered.",
  );
});
