import { once } from "node:events";
import { Agent, type ClientRequest, request } from "node:http";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import express, { type Request, type Response } from "express";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createMemoryEventStore } from "../../../testing/event-store/memory-event-store.ts";
import { startTestGateway, type TestGateway } from "../../../testing/gateway/gateway-fixture.ts";
import { ticketBody } from "../../../testing/gateway/request-bodies-fixture.ts";
import { noOrders } from "../../../testing/projections/read-model-fixture.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { createMemoryVault } from "../../../testing/vault/memory-vault.ts";
import { Problem } from "../errors/problem.ts";
import { listen, usualPatience } from "../listen.ts";
import { readJson } from "./validate.ts";

let gateway: TestGateway;
const underWay: ClientRequest[] = [];
let keptOpen: Agent;
beforeEach(async () => {
  keptOpen = new Agent({ keepAlive: true });
  gateway = await startTestGateway({
    store: createMemoryEventStore(),
    vault: createMemoryVault(),
    queries: noOrders,
    waitFor: async () => true,
  });
});
afterEach(async () => {
  vi.useRealTimers();
  for (const sending of underWay.splice(0)) sending.destroy();
  keptOpen.destroy();
  await gateway.close();
});

/** A request whose body is under way, from one of this machine's addresses. */
function begin(
  headers: Record<string, string>,
  { from = "127.0.0.1", url = gateway.url, agent = keptOpen as Agent | false } = {},
) {
  const sending = request(`${url}/api/tickets`, {
    method: "POST",
    agent,
    localAddress: from,
    headers: { "Content-Type": "application/json", ...headers },
  });
  underWay.push(sending);
  const answer = once(
    sending.on("error", () => undefined),
    "response",
  ).then(async ([response]) => ({
    status: response.statusCode,
    headers: response.headers,
    ...JSON.parse(await text(response)),
  }));
  answer.catch(() => undefined);
  return { sending, answer };
}

const send = (
  body: string | Buffer,
  headers: Record<string, string> = {},
  to: Parameters<typeof begin>[1] = {},
) => {
  const { sending, answer } = begin({ "Content-Length": String(Buffer.byteLength(body)), ...headers }, to);
  sending.end(body);
  return answer;
};

/** Resolves once the gateway reads the body, of which nothing has been sent. */
async function beginLarge(to: Parameters<typeof begin>[1] = {}) {
  const begun = begin({ "Content-Length": "1000000", Expect: "100-continue" }, to);
  begun.sending.flushHeaders();
  await once(begun.sending, "continue");
  return begun;
}

/** A server that reads a body as soon as it may, and answers 200 or with the problem's status. */
async function startReader({
  mayRead = async (_response: Response): Promise<unknown> => undefined,
  answers = (_status: number): boolean => true,
} = {}) {
  const requests: Request[] = [];
  const statuses: number[] = [];
  const app = express().post("/api/tickets", async (request, response) => {
    requests.push(request);
    await mayRead(response);
    const status = await readJson(request, response, 1_000_000).then(
      () => 200,
      (error) => (error instanceof Problem ? error.status : 500),
    );
    statuses.push(status);
    if (answers(status)) response.status(status).json({});
  });
  const { port, close } = await listen(app, "127.0.0.1", 0, { ...usualPatience, drainMs: 100 });
  onTestFinished(close);
  return { url: `http://127.0.0.1:${port}`, requests, statuses };
}

const oneFile = (bytes: number) => [
  { name: "a.txt", content: Buffer.alloc(bytes, "abc").toString("base64") },
];
const large = JSON.stringify(ticketBody({ attachments: oneFile(100_000) }));
/** A valid request with a field that no schema knows. */
const withUnknown = (json: string) => large.replace(/}$/, `,"x":${json}}`);

describe("A large body", () => {
  test("counts for its address: 150 MB an hour, and what is short is taken all the same", async () => {
    const full = JSON.stringify({ attachments: oneFile(10_000_000) });
    const statuses = [];
    for (let sent = 0; sent < 12; sent += 1) statuses.push((await send(full)).status);
    expect(statuses).toEqual([...Array(11).fill(422), 429]);
    const refused = await send(large);
    expect(refused).toMatchObject({ status: 429, code: "too-many-requests" });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(3_000);
    expect(await send(JSON.stringify(ticketBody()))).toMatchObject({ status: 201 });
    expect(await send(large, {}, { from: "127.0.0.2" })).toMatchObject({ status: 201 });
  });

  test("may have 20 files with long names beside the longest message", async () => {
    const attachments = Array.from({ length: 20 }, (_, nth) => ({
      name: `${"ŵ€,".repeat(83)}${nth}.txt`,
      content: Buffer.alloc(499_000, "a line\n").toString("base64"),
    }));
    const body = JSON.stringify(
      ticketBody({ message: "€".repeat(5_000), subject: ",".repeat(150), attachments }),
    );
    expect(await send(body)).toMatchObject({ status: 201 });
  });

  test.each([
    ["objects", withUnknown(`[${"{},".repeat(40_000)}{}]`)],
    ["lists in one another", withUnknown("[".repeat(40_000) + "]".repeat(40_000))],
    ["keys", withUnknown(`{${Array.from({ length: 20_000 }, (_, nth) => `"k${nth}":0`).join()}}`)],
    ["control characters", JSON.stringify(ticketBody({ message: "\u007f".repeat(100_000) }))],
    ["escapes", withUnknown(`"${"\\n".repeat(70_000)}"`)],
    ["blanks", large + " ".repeat(70_000)],
  ])("of %s is as large as an ordinary one may be, apart from its files", async (_, body) => {
    expect(await send(body)).toMatchObject({ status: 413, code: "body-too-large" });
    const inChunks = { "Transfer-Encoding": "chunked" };
    const { sending, answer } = begin(inChunks);
    sending.end(body);
    expect(await answer).toMatchObject({ status: 413, code: "body-too-large" });
  });

  test("has a bound, whether it says its length or not", async () => {
    const body = JSON.stringify(ticketBody({ attachments: oneFile(10_500_000) }));
    expect(await send(body)).toMatchObject({ status: 413 });
    const { sending, answer } = begin({ "Transfer-Encoding": "chunked" });
    sending.end(body);
    expect(await answer).toMatchObject({ status: 413 });
  });

  test("is not compressed; one that is small, as others are, may be", async () => {
    const compressed = { "Content-Encoding": "gzip" };
    const sendPacked = (body: string) => {
      const bytes = gzipSync(body);
      return send(bytes, { ...compressed, "Content-Length": String(bytes.length) });
    };
    expect(await sendPacked(large)).toMatchObject({ status: 413, code: "body-too-large" });
    expect(await sendPacked(JSON.stringify(ticketBody()))).toMatchObject({ status: 201 });
  });
});

describe("The refusal of a large body", () => {
  test("waits for the rest of it where the connection ends with the answer", async () => {
    await Promise.all([beginLarge(), beginLarge()]);
    const { sending, answer } = begin({ "Content-Length": "200000" }, { agent: false });
    const order: string[] = [];
    const noted = answer.then(() => order.push("answered"));
    sending.write("x".repeat(100_000));
    expect(await send(large)).toMatchObject({ status: 429 });
    order.push("sent");
    sending.end("x".repeat(100_000));
    expect(await answer).toMatchObject({ status: 429 });
    await noted;
    expect(order).toEqual(["sent", "answered"]);
  });

  test("gives back its place before it is answered", async () => {
    const { url, statuses } = await startReader({ answers: (status) => status === 200 });
    for (const _ of [1, 2]) begin({ "Content-Length": "900000" }, { url }).sending.write(" ".repeat(70_000));
    await expect.poll(() => statuses, soon).toEqual([413, 413]);
    const taken = send(large, {}, { url });
    await expect.poll(() => statuses, soon).toEqual([413, 413, 200]);
    expect(await taken).toMatchObject({ status: 200 });
  });
});

describe("Places for large bodies", () => {
  test("are two of an address, and others have theirs", async () => {
    const [first] = await Promise.all([beginLarge(), beginLarge()]);
    const refused = await send(large);
    expect(refused).toMatchObject({
      status: 429,
      code: "too-many-requests",
      headers: { "retry-after": "10" },
    });
    expect(await send(large, {}, { from: "127.0.0.2" })).toMatchObject({ status: 201 });
    expect(await send(JSON.stringify(ticketBody()))).toMatchObject({ status: 201 });
    first.sending.destroy();
    await expect.poll(async () => (await send(large)).status, soon).toBe(201);
  });

  test("are eight in all", async () => {
    const addresses = [2, 3, 4, 5].map((last) => ({ from: `127.0.0.${last}` }));
    await Promise.all([...addresses, ...addresses].map(beginLarge));
    expect(await send(large)).toMatchObject({ status: 503, code: "busy", headers: { "retry-after": "10" } });
  });

  test("are given up by a body that comes too slowly", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { url, requests } = await startReader();
    const slow = await beginLarge({ url });
    const steady = await beginLarge({ url });
    steady.sending.write("x".repeat(2 * period + 1_000));
    await expect.poll(() => requests[1]?.socket.bytesRead, soon).toBeGreaterThan(2 * period + 1_000);
    vi.advanceTimersByTime(10_000);
    expect(await slow.answer).toMatchObject({ status: 400 });
    await expect.poll(() => send(large, {}, { url }), soon).toMatchObject({ status: 200 });
    vi.advanceTimersByTime(10_000);
    steady.sending.write("x".repeat(period - 2_000));
    vi.advanceTimersByTime(10_000);
    expect(await steady.answer).toMatchObject({ status: 400 });
  });

  test("are not taken by a request whose client has left", async () => {
    let waits: (response: Response) => Promise<unknown> = (response) => once(response, "close");
    const { url, statuses } = await startReader({ mayRead: (response) => waits(response) });
    for (const _ of [1, 2]) (await beginLarge({ url })).sending.destroy();
    await expect.poll(() => statuses, soon).toEqual([400, 400]);
    waits = async () => undefined;
    expect(await send(large, {}, { url })).toMatchObject({ status: 200 });
  });
});

/** What must come in ten seconds. */
const period = 64 * 1024;
