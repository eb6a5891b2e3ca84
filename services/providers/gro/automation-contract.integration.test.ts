import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type MessageName, messageShapes } from "../../../testing/providers/automation-shapes-fixture.ts";
import { sandboxInTest } from "../../../testing/providers/sandbox-fixture.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { listen } from "../sandbox/http-server.ts";
import { NoticeRefused } from "./automation.ts";
import { createAutomationClient } from "./automation-client.ts";
import { exampleSubmission } from "./automation-protocol.ts";

/** The contract over real HTTP: with the sandbox, checking its every message, and with services that break it. */

const secretOf = (fill: number) => `whsec_${Buffer.alloc(32, fill).toString("base64")}`;
const parts = { now: () => new Date(), newId: randomUUID };
let closing: AsyncDisposableStack;
beforeEach(() => {
  closing = new AsyncDisposableStack();
});
afterEach(() => closing.disposeAsync());

type Heard = { path: string; headers: IncomingMessage["headers"]; body: string };
type Answer = (response: ServerResponse, heard: Heard) => unknown;

/** A service with a scripted answer that records its requests, and a client of it. */
async function service(answer: Answer, { secret = secretOf(1), timeoutMs = 10_000 } = {}) {
  const heard: Heard[] = [];
  const server = await listen(
    async (request, response) => {
      const one = { path: request.url ?? "", headers: request.headers, body: await text(request) };
      heard.push(one);
      await answer(response, one);
    },
    "127.0.0.1",
    0,
  );
  closing.defer(() => server.close());
  const url = `http://127.0.0.1:${server.port}/v1`;
  return { heard, client: createAutomationClient({ ...parts, url, secret, timeoutMs }) };
}

const submissionOf = () => ({
  ...exampleSubmission,
  key: `order-${randomUUID()}-submission-1`,
  notAfter: new Date(Date.now() + 600_000).toISOString(),
});
const json =
  (status: number, body: unknown): Answer =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
const acceptance = { groOrderReference: "GRO-1", acceptedAt: "2026-11-21T10:00:00Z" };

/** Schema names of an endpoint's request, answer and refusal. */
function shapesOf(path: string): readonly [MessageName, MessageName, MessageName] {
  if (path === "/v1/submissions") return ["Submission", "Accepted", "SubmissionRefusal"];
  if (path === "/v1/statuses") return ["Statuses", "StatusesAnswer", "Refusal"];
  return ["Inquiry", "InquiryAnswer", "Refusal"];
}

/** A signed pass-through proxy that checks both directions against the contract. */
function between(url: string) {
  const { faultOf } = messageShapes();
  const faults: string[] = [];
  const statuses: number[] = [];
  const check = (name: MessageName, message: unknown) => {
    const fault = faultOf(name, message);
    if (fault) faults.push(`${name}: ${fault}`);
  };
  const answer: Answer = async (response, { path, headers, body }) => {
    const [question, answer, refusal] = shapesOf(path);
    check(question, JSON.parse(body));
    const { "content-length": _length, host: _host, connection: _connection, ...others } = headers;
    const sent = Object.entries(others).map(([name, value]): [string, string] => [name, String(value)]);
    const answered = await fetch(`${url}${path.replace("/v1", "")}`, { method: "POST", headers: sent, body });
    const said = await answered.text();
    statuses.push(answered.status);
    if (answered.ok) check(answer, JSON.parse(said));
    if ([401, 410, 422].includes(answered.status)) check(refusal, JSON.parse(said));
    response.writeHead(answered.status, { "content-type": "application/json" }).end(said);
  };
  return { answer, check, faults, statuses };
}

describe("the sandbox and the client", () => {
  it("conform to the contract in both directions", async () => {
    const box = await sandboxInTest();
    closing.defer(() => box.close());
    const { url, secret } = box.addresses.automation;
    const { answer, check, faults, statuses } = between(url);
    const { client } = await service(answer, { secret });
    const { client: stranger } = await service(answer);

    await expect(stranger.submit(submissionOf())).rejects.toMatchObject({ code: "unauthorized" });
    const wanted = submissionOf();
    const accepted = await client.submit(wanted);
    expect(await client.submit(wanted)).toEqual(accepted);
    expect(await client.ask(wanted.key)).toMatchObject({ state: "accepted" });
    expect(await client.ask("unknown")).toEqual({ state: "unknown" });
    await expect(client.submit({ ...wanted, key: "unknown" })).rejects.toMatchObject({ code: "closed" });
    expect(await client.statuses([{ key: wanted.key }, { groOrderReference: "none" }])).toMatchObject([
      { state: "accepted", latest: null },
      { state: "unknown" },
    ]);
    box.sandbox.behaveAsGro.set({ mode: "reject", times: 1 });
    await expect(client.submit(submissionOf())).rejects.toMatchObject({ code: "rejected" });
    box.sandbox.behaveAsGro.set({ mode: "fail", times: 1 });
    await expect(client.submit(submissionOf())).rejects.toMatchObject({ code: "fault" });
    await expect(client.submit({ ...wanted, copies: 5 })).rejects.toMatchObject({ code: "fault" });
    expect(statuses).toEqual([401, 200, 200, 200, 200, 410, 200, 422, 500, 409]);

    for (const kind of ["dispatched", "notFound", "queried"]) {
      const body = JSON.stringify({ key: wanted.key, kind });
      const headers = { "content-type": "application/json" };
      await fetch(`${box.receiver.url}/sandbox/gro/notices`, { method: "POST", headers, body });
    }
    expect(await client.statuses([{ key: wanted.key }])).toMatchObject([{ latest: { kind: "queried" } }]);
    await vi.waitFor(() => expect(box.receiver.delivered).toHaveLength(3), soon);
    for (const { body, headers } of box.receiver.delivered) {
      check("Notice", JSON.parse(body));
      expect(client.readNotice(Buffer.from(body), headers).key).toBe(wanted.key);
    }
    expect(faults).toEqual([]);
  });
});

describe("a request", () => {
  it("is signed as the specification says, and carries its key", async () => {
    const { client, heard } = await service(json(200, acceptance));
    const wanted = submissionOf();
    await client.submit(wanted);
    const [first] = heard;
    const headers = Object.fromEntries(
      Object.entries(first?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    expect(new Webhook(secretOf(1)).verify(first?.body ?? "", headers)).toEqual(wanted);
    expect(() => new Webhook(secretOf(2)).verify(first?.body ?? "", headers)).toThrow();
    expect(headers["idempotency-key"]).toBe(wanted.key);
  });

  it("has a new message id at each attempt, with the same key", async () => {
    const { client, heard } = await service(json(200, acceptance));
    const wanted = submissionOf();
    await Promise.all([client.submit(wanted), client.submit(wanted)]);
    expect(new Set(heard.map(({ headers }) => headers["webhook-id"])).size).toBe(2);
    expect(new Set(heard.map(({ headers }) => headers["idempotency-key"]))).toEqual(new Set([wanted.key]));
  });
});

describe("the deadline for sending", () => {
  it("is checked before each try: a process that paused sends nothing", async () => {
    const { client, heard } = await service(json(200, acceptance));
    const late = { ...submissionOf(), notAfter: new Date().toISOString() };
    await expect(client.submit(late)).rejects.toMatchObject({ name: "SubmissionTooLate", code: "expired" });
    expect(heard).toEqual([]);
  });

  it.each(["expired", "closed"])("has passed if the service answers %s", async (code) => {
    const { client, heard } = await service(json(410, { code }));
    await expect(client.submit(submissionOf())).rejects.toMatchObject({ name: "SubmissionTooLate", code });
    expect(heard).toHaveLength(1);
    // An inquiry cannot be too late.
    await expect(client.ask("key")).rejects.toMatchObject({ name: "SubmissionUncertain" });
  });
});

describe("an answer about several submissions", () => {
  it("is invalid if it holds more or fewer than requested", async () => {
    const { client } = await service(json(200, { submissions: [{ state: "unknown" }] }));
    expect(await client.statuses([{ key: "one" }])).toEqual([{ state: "unknown" }]);
    await expect(client.statuses([{ key: "one" }, { key: "two" }])).rejects.toMatchObject({ code: "fault" });
  });
});

const stalled: Answer = (response) =>
  response.writeHead(200, { "content-type": "application/json" }).write('{"groOrderReference":');
const cutShort: Answer = (response) => {
  response.writeHead(200, { "content-length": "500" });
  response.write("{", () => response.destroy());
};
const endless: Answer = (response) => response.writeHead(200).end(JSON.stringify("x".repeat(70_000)));
const elsewhere: Answer = (response) => response.writeHead(307, { location: "http://127.0.0.1:9/" }).end();
const page403: Answer = (response) => response.writeHead(403).end("<html>Forbidden</html>");
const nothing: Answer = (response) => response.writeHead(204).end();
const page: Answer = (response) => response.writeHead(200).end("<html>Sign in to the network</html>");

describe("an unclear answer leaves the outcome open, and nothing is resent", () => {
  it.each<[string, Answer, string]>([
    ["no answer in time", () => undefined, "timeout"],
    ["a stalled answer", stalled, "timeout"],
    ["a truncated answer", cutShort, "unreachable"],
    ["an endless answer", endless, "unreachable"],
    ["a redirect", elsewhere, "unreachable"],
    ["a proxy's page", page, "fault"],
    ["an empty answer", nothing, "fault"],
    ["an answer of another shape", json(200, { reference: "GRO-1" }), "fault"],
    ["a time that is not UTC", json(200, { ...acceptance, acceptedAt: "yesterday" }), "fault"],
    ["404 without a code", json(404, {}), "fault"],
    ["409", json(409, {}), "fault"],
    ["429 without a code", json(429, {}), "fault"],
    ["500", json(500, { code: "rejected" }), "fault"],
  ])("%s", async (_what, answer, code) => {
    const { client, heard } = await service(answer, code === "timeout" ? { timeoutMs: 250 } : {});
    await expect(client.submit(submissionOf())).rejects.toMatchObject({ name: "SubmissionUncertain", code });
    expect(heard).toHaveLength(1);
  });

  it.each<[string, Answer, string]>([
    ["401", json(401, {}), "unauthorized"],
    ["403 of a proxy", page403, "unauthorized"],
    ["422 invalid", json(422, { code: "invalid" }), "invalid"],
    ["400 rejected", json(400, { code: "rejected" }), "rejected"],
  ])("but %s is clear", async (_what, answer, code) => {
    const { client, heard } = await service(answer);
    await expect(client.submit(submissionOf())).rejects.toMatchObject({ name: "SubmissionRefused", code });
    expect(heard).toHaveLength(1);
  });

  it("an inquiry changes nothing, and is tried three times", async () => {
    const { client, heard } = await service(json(500, {}));
    await expect(client.ask("key")).rejects.toMatchObject({ code: "fault" });
    expect(heard).toHaveLength(3);
  });
});

describe("a notice", () => {
  const notice = { noticeId: "n-1", key: "k", kind: "dispatched", occurredAt: new Date().toISOString() };
  const body = JSON.stringify(notice);
  const signed = (secret: string, at = new Date()) => ({
    "webhook-id": "n-1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign("n-1", at, body),
  });
  const clientWith = (callbackSecrets?: readonly string[]) =>
    createAutomationClient({
      ...parts,
      url: "http://127.0.0.1:9",
      secret: secretOf(1),
      ...(callbackSecrets && { callbackSecrets }),
    });

  it("is accepted with either of two secrets during rotation, then only with the new one", () => {
    const during = clientWith([secretOf(3), secretOf(2)]);
    for (const fill of [2, 3]) {
      expect(during.readNotice(Buffer.from(body), signed(secretOf(fill)))).toEqual(notice);
    }
    const after = clientWith([secretOf(3)]);
    expect(() => after.readNotice(Buffer.from(body), signed(secretOf(2)))).toThrow(NoticeRefused);
  });

  it("is refused under the sending secret if callbacks have a separate one", () => {
    const client = clientWith([secretOf(2)]);
    expect(() => client.readNotice(Buffer.from(body), signed(secretOf(1)))).toThrow(NoticeRefused);
    expect(clientWith().readNotice(Buffer.from(body), signed(secretOf(1)))).toEqual(notice);
  });

  it("that is replayed later is too old", () => {
    const heardAt = new Date(Date.now() - 301_000);
    expect(() => clientWith().readNotice(Buffer.from(body), signed(secretOf(1), heardAt))).toThrow(
      NoticeRefused,
    );
  });

  it("is refused without its signature", () => {
    const headers = { ...signed(secretOf(1)), "webhook-signature": undefined };
    expect(() => clientWith().readNotice(Buffer.from(body), headers)).toThrow(NoticeRefused);
  });

  it("is refused if no secret is configured", () => {
    expect(() => clientWith([]).readNotice(Buffer.from(body), signed(secretOf(1)))).toThrow(NoticeRefused);
  });
});
