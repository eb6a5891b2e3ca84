import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type SandboxInTest, sandboxInTest } from "../../../testing/providers/sandbox-fixture.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { listen } from "../sandbox/http-server.ts";
import {
  type Application,
  type Automation,
  NoticeRefused,
  SubmissionRefused,
  SubmissionUncertain,
} from "./automation.ts";
import { createAutomationClient } from "./automation-client.ts";

let box: SandboxInTest;
let automation: Automation;
const parts = { now: () => new Date(), newId: randomUUID };
const connect = (timeoutMs = 10_000) =>
  createAutomationClient({ ...box.addresses.automation, ...parts, timeoutMs });

beforeAll(async () => {
  box = await sandboxInTest();
});
afterAll(() => box.close());
beforeEach(() => {
  automation = connect();
  box.receiver.delivered.length = 0;
});
afterEach(() => box.sandbox.behaveAsGro.set({ mode: "ok" }));

/** A sandbox whose GRO reports each despatch an hour after the submission. */
async function sandboxWithDespatch() {
  const later = await sandboxInTest({ dispatchAfterMs: 3_600_000 });
  return { ...later, [Symbol.asyncDispose]: () => later.close() };
}

const application = (more: Partial<Application> = {}): Application => ({
  key: `order-${randomUUID()}-submission-1`,
  notAfter: new Date(Date.now() + 600_000).toISOString(),
  orderNumber: `TEST-${randomUUID().slice(0, 4)}`,
  certificateType: "Birth",
  serviceLevel: "standard",
  copies: 2,
  application: { certificateDetails: { SurnameAtBirth: "Łukaszewicz", DateOfBirth: { Day: 1 } } },
  contact: { contactFullName: "Siân Ŵyn" },
  ...more,
});
const read = (path: string, accept = "application/json") =>
  fetch(`${box.receiver.url}/sandbox/${path}`, { headers: { accept } });
/** The sandbox may still be writing what its client no longer waits for. */
const seeReceived = ({ key }: { readonly key: string }) =>
  vi.waitFor(async () => {
    const received: { key: string }[] = await (await read("gro")).json();
    expect(received.filter((each) => each.key === key)).toHaveLength(1);
  }, soon);
const post = (path: string, body: object) =>
  fetch(`${box.receiver.url}/sandbox/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const notices = () =>
  box.receiver.delivered
    .filter(({ path }) => path === "/api/webhooks/gro")
    .map(({ body, headers }) => automation.readNotice(Buffer.from(body), headers));

describe("submitting", () => {
  it("returns the GRO reference, and the same one for the same key", async () => {
    const wanted = application();
    const accepted = await automation.submit(wanted);
    expect(accepted.groOrderReference).toMatch(/^GRO-\d{8}$/);
    expect(await automation.submit(wanted)).toEqual(accepted);
    expect(await automation.ask(wanted.key)).toEqual({ state: "accepted", ...accepted });
  });

  it("sends the correlation id without changing anything that is signed", async () => {
    const heard: unknown[] = [];
    const service = await listen(
      (request, response) => {
        heard.push(request.headers);
        response.writeHead(500).end();
      },
      "127.0.0.1",
      0,
    );
    const client = createAutomationClient({
      secret: `whsec_${Buffer.alloc(32, 1).toString("base64")}`,
      ...parts,
      url: `http://127.0.0.1:${service.port}`,
      moreHeaders: () => ({ "correlation-id": "of-the-request", "content-type": "text/plain" }),
    });
    await expect(client.submit(application())).rejects.toThrow(SubmissionUncertain);
    await service.close();
    expect(heard).toEqual([
      expect.objectContaining({ "correlation-id": "of-the-request", "content-type": "application/json" }),
    ]);
  });

  it("accepts once when the same key is sent ten times at once", async () => {
    const wanted = application();
    const answers = await Promise.all(Array.from({ length: 10 }, () => automation.submit(wanted)));
    expect(new Set(answers.map(({ groOrderReference }) => groOrderReference)).size).toBe(1);
  });

  it("accepts the one that waits when the first under its key is rolled back", async () => {
    const wanted = application();
    const first = await box.pool.connect();
    await first.query("begin");
    await first.query("insert into sandbox.submissions (key) values ($1)", [wanted.key]);
    const second = automation.submit(wanted);
    await vi.waitFor(async () => {
      const { rows } = await box.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(1);
    }, soon);
    await first.query("rollback");
    first.release();
    const accepted = await second;
    expect(await automation.ask(wanted.key)).toEqual({ state: "accepted", ...accepted });
  });

  it("accepts only together with the despatch and the notice that follow", async () => {
    await using later = await sandboxWithDespatch();
    const client = createAutomationClient({ ...later.addresses.automation, ...parts, timeoutMs: 10_000 });
    const count = async () => {
      const { rows } = await later.pool.query<{ counts: number[] }>(
        `select array[(select count(*) from sandbox.submissions where accepted_at is not null),
           (select count(*) from sandbox.outcomes), (select count(*) from sandbox.deliveries)]::integer[] as counts`,
      );
      return rows[0]?.counts;
    };
    for (const table of ["outcomes", "deliveries"]) {
      await later.pool.query(`alter table sandbox.${table} add constraint broken check (false) not valid`);
      await expect(client.submit(application())).rejects.toMatchObject({ code: "fault" });
      await later.pool.query(`alter table sandbox.${table} drop constraint broken`);
      expect(later.faults.splice(0)).toHaveLength(1);
      expect(await count()).toEqual([0, 0, 0]);
    }
    const wanted = application();
    await Promise.all(Array.from({ length: 10 }, () => client.submit(wanted)));
    expect(await count()).toEqual([1, 1, 1]);
  });

  it("gives no certain outcome for another application under an accepted key", async () => {
    const wanted = application();
    const accepted = await automation.submit(wanted);
    await expect(automation.submit({ ...wanted, copies: 3 })).rejects.toBeInstanceOf(SubmissionUncertain);
    expect(await automation.ask(wanted.key)).toMatchObject(accepted);
  });

  it("remembers accepted keys across a restart, and forgets the applications", async () => {
    const wanted = application();
    const accepted = await automation.submit(wanted);
    box = await box.restart();
    automation = connect();
    expect(await automation.ask(wanted.key)).toEqual({ state: "accepted", ...accepted });
    expect(await (await read("gro")).json()).toEqual([]);
    const { rows } = await box.pool.query<{ row: string }>(
      "select to_jsonb(s)::text as row from sandbox.submissions s union all select body from sandbox.deliveries",
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ row }) => /Łukaszewicz|Siân/.test(row))).toEqual([]);
  });

  it("knows that it was never accepted after an error", async () => {
    box.sandbox.behaveAsGro.set({ mode: "fail", times: 1 });
    const wanted = application();
    await expect(automation.submit(wanted)).rejects.toMatchObject({
      name: "SubmissionUncertain",
      code: "fault",
    });
    expect(await automation.ask(wanted.key)).toEqual({ state: "unknown" });
    await automation.submit(application());
  });

  it("does not resend after a time-out, and finds the acceptance by asking", async () => {
    box.sandbox.behaveAsGro.set({ mode: "timeout", times: 1 });
    const wanted = application();
    await expect(connect(400).submit(wanted)).rejects.toMatchObject({ code: "timeout" });
    await seeReceived(wanted);
    expect(await automation.ask(wanted.key)).toMatchObject({ state: "accepted" });
  });

  it("learns nothing from a silent service, and finds the acceptance once it answers again", async () => {
    box.sandbox.behaveAsGro.set({ mode: "silent" });
    const wanted = application();
    const hasty = connect(400);
    await expect(hasty.submit(wanted)).rejects.toMatchObject({ code: "timeout" });
    await seeReceived(wanted);
    await expect(hasty.ask(wanted.key)).rejects.toMatchObject({ code: "timeout" });
    box.sandbox.behaveAsGro.set({ mode: "ok" });
    expect(await automation.ask(wanted.key)).toMatchObject({ state: "accepted" });
  });

  it("distinguishes a refusal from an unknown outcome", async () => {
    box.sandbox.behaveAsGro.set({ mode: "reject", times: 1 });
    await expect(automation.submit(application())).rejects.toMatchObject({ code: "rejected" });
    await expect(automation.submit(application({ copies: 0 }))).rejects.toMatchObject({ code: "invalid" });
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const stranger = createAutomationClient({ ...box.addresses.automation, ...parts, secret });
    await expect(stranger.submit(application())).rejects.toMatchObject({
      code: "unauthorized",
      constructor: SubmissionRefused,
    });
    await expect(stranger.ask("a key")).rejects.toBeInstanceOf(SubmissionRefused);
  });
});

describe("a request that arrives too late", () => {
  it("does nothing once an inquiry was answered `unknown`, across a restart too", async () => {
    const wanted = application();
    expect(await automation.ask(wanted.key)).toEqual({ state: "unknown" });
    await expect(automation.submit(wanted)).rejects.toMatchObject({
      name: "SubmissionTooLate",
      code: "closed",
    });
    box = await box.restart();
    automation = connect();
    await expect(automation.submit(wanted)).rejects.toMatchObject({ code: "closed" });
    expect(await automation.ask(wanted.key)).toEqual({ state: "unknown" });
    expect((await post("gro/notices", { key: wanted.key, kind: "queried" })).status).toBe(404);
  });

  it("races with an inquiry: exactly one of the two decides", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const wanted = application();
        const submit = () => automation.submit(wanted).catch((error: Error) => error);
        const ask = () => automation.ask(wanted.key);
        // Either may leave first.
        const [sent, asked] =
          n % 2 ? await Promise.all([submit(), ask()]) : (await Promise.all([ask(), submit()])).reverse();
        const wasSent = !(sent instanceof Error);
        expect(sent).toMatchObject(
          wasSent ? { groOrderReference: expect.stringMatching(/^GRO/) } : { code: "closed" },
        );
        expect(asked).toMatchObject({ state: wasSent ? "accepted" : "unknown" });
        expect(await automation.ask(wanted.key)).toEqual(asked);
        return wasSent;
      }),
    );
    // Proves that both orders occurred.
    expect(new Set(outcomes)).toEqual(new Set([true, false]));
  });

  it("does nothing past its deadline, and closes its key", async () => {
    const wanted = application({ notAfter: new Date(Date.now() - 1_000).toISOString() });
    const slow = createAutomationClient({
      ...box.addresses.automation,
      newId: randomUUID,
      now: () => new Date(Date.now() - 60_000),
    });
    await expect(slow.submit(wanted)).rejects.toMatchObject({ name: "SubmissionTooLate", code: "expired" });
    const again = application({ key: wanted.key });
    await expect(automation.submit(again)).rejects.toMatchObject({ code: "closed" });
  });

  it("is still answered if its key was accepted in time, and may then carry another deadline", async () => {
    const wanted = application();
    const accepted = await automation.submit(wanted);
    expect(await automation.ask(wanted.key)).toMatchObject(accepted);
    const slow = createAutomationClient({
      ...box.addresses.automation,
      newId: randomUUID,
      now: () => new Date(Date.now() - 60_000),
    });
    const late = { ...wanted, notAfter: new Date(Date.now() - 1_000).toISOString() };
    expect(await slow.submit(late)).toEqual(accepted);
  });
});

describe("status of submissions", () => {
  it("is returned by key or GRO reference, with the latest GRO notice, and closes no key", async () => {
    const [first, second, third] = [application(), application(), application()];
    const accepted = await automation.submit(first);
    const other = await automation.submit(second);
    for (const kind of ["queried", "dispatched"]) await post("gro/notices", { key: first.key, kind });
    const names = [
      { key: third.key },
      { groOrderReference: accepted.groOrderReference },
      { key: second.key },
      { groOrderReference: "GRO-NONE" },
    ];
    expect(await automation.statuses(names)).toEqual([
      { state: "unknown" },
      {
        state: "accepted",
        ...accepted,
        latest: { kind: "dispatched", occurredAt: expect.stringMatching(/Z$/) },
      },
      { state: "accepted", ...other, latest: null },
      { state: "unknown" },
    ]);
    await automation.submit(third);
  });

  it("does not include a despatch before it happened", async () => {
    const own = await sandboxInTest({ dispatchAfterMs: 60_000 });
    const client = createAutomationClient({ ...own.addresses.automation, ...parts });
    const wanted = application();
    await client.submit(wanted);
    expect(await client.statuses([{ key: wanted.key }])).toMatchObject([{ latest: null }]);
    await own.close();
  });
});

describe("a network that fails", () => {
  it("is retried only if nothing was sent", async () => {
    const probe = await listen(() => undefined, "127.0.0.1", 0);
    await probe.close();
    const away = createAutomationClient({
      ...parts,
      url: `http://127.0.0.1:${probe.port}`,
      secret: box.addresses.automation.secret,
    });
    await expect(away.submit(application())).rejects.toMatchObject({ code: "unreachable" });

    let requests = 0;
    const cutting = createServer((request) => {
      requests += 1;
      request.socket.destroy();
    });
    await new Promise<void>((resolve) => cutting.listen(0, "127.0.0.1", resolve));
    const address = cutting.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const cut = createAutomationClient({
      ...parts,
      url: `http://127.0.0.1:${port}`,
      secret: box.addresses.automation.secret,
    });
    await expect(cut.submit(application())).rejects.toMatchObject({ code: "unreachable" });
    expect(requests).toBe(1);
    await expect(cut.ask("a key")).rejects.toMatchObject({ code: "unreachable" });
    expect(requests).toBe(4);
    cutting.close();
  });

  it("pauses after five errors in a row, then retries", async () => {
    const failing = async (pauseMs: number) => {
      const client = createAutomationClient({ ...box.addresses.automation, ...parts, pauseMs });
      for (let fault = 0; fault < 5; fault += 1) {
        await expect(client.submit(application())).rejects.toMatchObject({ code: "fault" });
      }
      return client;
    };
    box.sandbox.behaveAsGro.set({ mode: "fail" });
    const [patient, hasty] = [await failing(3_600_000), await failing(300)];
    await expect(patient.submit(application())).rejects.toMatchObject({ code: "circuitOpen" });
    box.sandbox.behaveAsGro.set({ mode: "ok" });
    await vi.waitFor(() => hasty.submit(application()), soon);
    await expect(patient.submit(application())).rejects.toMatchObject({ code: "circuitOpen" });
  });
});

describe("notices", () => {
  it("announce a despatch on request, by key or by order number", async () => {
    const wanted = application();
    await automation.submit(wanted);
    expect((await post("gro/notices", { orderNumber: wanted.orderNumber, kind: "dispatched" })).status).toBe(
      202,
    );
    expect((await post("gro/notices", { key: wanted.key, kind: "queried" })).status).toBe(202);
    await vi.waitFor(() => expect(notices()).toHaveLength(2), soon);
    const kinds = notices()
      .filter(({ key }) => key === wanted.key)
      .map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(["dispatched", "queried"]);
    expect((await post("gro/notices", { key: "unknown", kind: "queried" })).status).toBe(404);
    expect((await post("gro/notices", { key: wanted.key, kind: "lost" })).status).toBe(422);
  });

  it("carry the text of a question, of 2,000 characters at most, which the sandbox does not store", async () => {
    const wanted = application();
    await automation.submit(wanted);
    const question = "Which Llanfihangel?\nIn 1962?";
    const ask = (text: string) => post("gro/notices", { key: wanted.key, kind: "queried", question: text });
    expect((await ask("?".repeat(2_001))).status).toBe(422);
    expect((await ask(question)).status).toBe(202);
    const asked = await vi.waitFor(() => {
      const [notice] = notices().filter(({ key }) => key === wanted.key);
      expect(notice).toMatchObject({ kind: "queried", question });
      return notice;
    }, soon);
    expect(await automation.statuses([{ key: wanted.key }])).toMatchObject([
      { latest: { kind: "queried", question } },
    ]);
    const stored = await box.pool.query("select body from sandbox.deliveries");
    expect(JSON.stringify(stored.rows)).not.toContain("Llanfihangel");
    const webhook = new Webhook(box.addresses.automation.secret);
    const read = (text: string) => {
      const body = JSON.stringify({ ...asked, question: text });
      const at = new Date();
      const headers = {
        "webhook-id": "msg_1",
        "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
        "webhook-signature": webhook.sign("msg_1", at, body),
      };
      return automation.readNotice(Buffer.from(body), headers).question;
    };
    expect([read("?".repeat(2_000))?.length, read(" \n ")]).toEqual([2_000, undefined]);
    expect(() => read("?".repeat(2_001))).toThrow(NoticeRefused);
  });

  it("arrive twice, under different ids, from a service that answers twice", async () => {
    await post("gro/behaviour", { mode: "answerTwice" });
    const wanted = application();
    await automation.submit(wanted);
    await post("gro/notices", { key: wanted.key, kind: "dispatched" });
    await vi.waitFor(() => expect(notices()).toHaveLength(2), soon);
    expect(new Set(notices().map(({ noticeId }) => noticeId)).size).toBe(2);
    expect(new Set(notices().map(({ key, kind }) => `${key} ${kind}`)).size).toBe(1);
  });

  it("are lost in the lose-notices mode, while status requests still return their content", async () => {
    const own = await sandboxInTest({ dispatchAfterMs: 0 });
    const client = createAutomationClient({ ...own.addresses.automation, ...parts });
    own.sandbox.behaveAsGro.set({ mode: "loseNotices" });
    const lost = application();
    await client.submit(lost);
    own.sandbox.behaveAsGro.set({ mode: "ok" });
    const heard = application();
    await client.submit(heard);
    // The next one has arrived, so the previous one never will.
    await vi.waitFor(() => expect(own.receiver.delivered).toHaveLength(1), soon);
    expect(own.receiver.delivered[0]?.body).toContain(heard.key);
    const again = await own.restart();
    const restarted = createAutomationClient({ ...again.addresses.automation, ...parts });
    expect(await restarted.statuses([{ key: lost.key }])).toMatchObject([{ latest: { kind: "dispatched" } }]);
    await again.close();
  });

  it("arrive automatically some time after the submission, across a restart too", async () => {
    const own = await sandboxInTest({ dispatchAfterMs: 600 });
    const client = createAutomationClient({ ...own.addresses.automation, ...parts });
    const wanted = application();
    await client.submit(wanted);
    const again = await own.restart();
    await vi.waitFor(() => expect(again.receiver.delivered).toHaveLength(1), soon);
    const [delivered] = again.receiver.delivered;
    expect(client.readNotice(Buffer.from(delivered?.body ?? ""), delivered?.headers ?? {})).toMatchObject({
      key: wanted.key,
      kind: "dispatched",
    });
    await again.close();
  });

  it("are refused if forged, changed, old, unsigned or of an unknown shape", () => {
    const webhook = new Webhook(box.addresses.automation.secret);
    const notice = { noticeId: "n", key: "k", kind: "dispatched", occurredAt: new Date().toISOString() };
    const signed = (body: string, at = new Date(), by = webhook) => ({
      "webhook-id": "n",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": by.sign("n", at, body),
    });
    const body = JSON.stringify(notice);
    const take = (text: string, headers: Record<string, string | undefined>) =>
      automation.readNotice(Buffer.from(text), headers);
    expect(take(body, signed(body))).toEqual(notice);
    const stranger = new Webhook(`whsec_${Buffer.alloc(32, 7).toString("base64")}`);
    expect(() => take(body, signed(body, new Date(), stranger))).toThrow(NoticeRefused);
    expect(() => take(body.replace("dispatched", "notFound"), signed(body))).toThrow(NoticeRefused);
    expect(() => take(body, signed(body, new Date(Date.now() - 6 * 60_000)))).toThrow(NoticeRefused);
    expect(() => take(body, {})).toThrow(NoticeRefused);
    const odd = JSON.stringify({ ...notice, kind: "lost" });
    expect(() => take(odd, signed(odd))).toThrow(NoticeRefused);
  });
});

describe("the GRO sandbox page", () => {
  it("is served as HTML and as JSON, with names escaped", async () => {
    await automation.submit(application({ contact: { contactFullName: "<script>alert(1)</script>" } }));
    const page = await (await read("gro", "text/html")).text();
    expect(page).toContain("Łukaszewicz");
    expect(page).toContain("&lt;script&gt;alert(1)");
    expect(page).not.toContain("<script>");
    const [newest] = await (await read("gro")).json();
    expect(newest).toMatchObject({
      certificateType: "Birth",
      contact: { contactFullName: "<script>alert(1)</script>" },
    });
  });

  it("has buttons that act as the GRO, and accepts forms from its own page only", async () => {
    const wanted = application();
    await automation.submit(wanted);
    const press = (from: string) =>
      fetch(`${box.receiver.url}/sandbox/gro/notices`, {
        method: "POST",
        body: new URLSearchParams({ key: wanted.key, kind: "queried" }),
        headers: { "sec-fetch-site": from },
        redirect: "manual",
      });
    expect((await press("cross-site")).status).toBe(403);
    const answer = await press("same-origin");
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/sandbox/gro"]);
    await vi.waitFor(() => expect(notices()).toHaveLength(1), soon);
  });

  it("is not shown through a proxy", async () => {
    const answer = await fetch(`${box.receiver.url}/sandbox/gro`, {
      headers: { "x-forwarded-for": "203.0.113.9" },
    });
    expect(answer.status).toBe(403);
  });
});
