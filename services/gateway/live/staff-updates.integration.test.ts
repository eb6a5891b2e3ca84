import { afterEach, describe, expect, test, vi } from "vitest";
import { type HeardEvents, listenTo } from "../../../testing/gateway/event-reader-fixture.ts";
import { variantBody } from "../../../testing/gateway/request-bodies-fixture.ts";
import { createdOrder, startTestStack, type TestStack } from "../../../testing/gateway/stack-fixture.ts";
import { soon } from "../../../testing/setup/patience.ts";

let stack: TestStack;
afterEach(() => stack.close());

const start = async (options: Parameters<typeof startTestStack>[0] = {}) => {
  stack = await startTestStack(options);
};
const listen = async (token: string): Promise<HeardEvents> =>
  listenTo(`${stack.url}/api/admin/updates`, { Authorization: `Bearer ${token}` });
const changesIn = ({ text }: HeardEvents): unknown[] =>
  [...text().matchAll(/^data: (.+)$/gm)].map(([, data = ""]) => JSON.parse(data));

describe("Updates of the back office", () => {
  test("name the order that changed, to every role, and hold nothing of a person", async () => {
    await start();
    const heard = await Promise.all(
      (["staff", "manager", "compliance"] as const).map(async (role) => listen(await stack.token(role))),
    );
    const browser = stack.browser();
    const { id } = await createdOrder(browser);
    for (const one of heard)
      await vi.waitFor(() => expect(changesIn(one)).toEqual([{ topic: "orders", key: id }]), soon);
    const reply = await browser.post(`/api/orders/${id}/variants`, variantBody());
    const [first] = heard;
    if (!first) throw new Error("Three listened.");
    await vi.waitFor(() => expect(first.changes().at(-1)).toBe(reply.headers.get("Position")), soon);
    expect(first.text()).toMatch(
      /^retry: 5000\n\n(event: changed\nid: [\w.:-]+\ndata: \{"topic":"orders","key":"[0-9a-f-]{36}"\}\n\n)+$/,
    );
    for (const one of heard) one.hangUp();
  });

  test("are refused to customers and without a token", async () => {
    await start();
    expect((await listen(await stack.token())).status).toBe(403);
    expect((await listen("nothing")).status).toBe(401);
  });

  test("end when their session ends, and those of other sessions go on", async () => {
    await start({ staffUpdateSettings: { beatEveryMs: 50 } });
    const [mine, another] = [await stack.token("staff"), await stack.token("staff")];
    const [heard, other] = [await listen(mine), await listen(another)];
    const headers = { Authorization: `Bearer ${mine}` };
    expect((await stack.browser().post("/api/me/sign-out", {}, headers)).status).toBe(204);
    await vi.waitFor(() => expect(heard.ended()).toBe(true), soon);
    expect(other.ended()).toBe(false);
    await stack.browser().post("/api/me/sign-out-everywhere", {}, { Authorization: `Bearer ${another}` });
    await vi.waitFor(() => expect(other.ended()).toBe(true), soon);
  });

  test("end when their person is revoked, who does not come back in; a colleague's go on", async () => {
    await start();
    const tokens = { leaver: await stack.token("staff", "leaver"), colleague: await stack.token("staff") };
    const [left, stayed] = [await listen(tokens.leaver), await listen(tokens.colleague)];
    const { body: leaver } = await stack
      .browser()
      .get("/api/me", { Authorization: `Bearer ${tokens.leaver}` });
    const revoked = await stack
      .browser()
      .post(
        "/api/admin/settings/staff/revoke",
        { userId: leaver.userId, expectedRevision: stack.settings.current().revision },
        { Authorization: `Bearer ${await stack.token("manager", "boss")}` },
      );
    expect(revoked.status).toBe(200);
    await vi.waitFor(() => expect(left.ended()).toBe(true), soon);
    expect((await listen(tokens.leaver)).status).toBe(403);
    expect(stayed.ended()).toBe(false);
    stayed.hangUp();
  });

  test("end once more for who came back within a beat of a changed role: settings may follow later", async () => {
    const beatEveryMs = 1_000;
    await start({ staffUpdateSettings: { beatEveryMs } });
    const mover = await stack.token("staff", "mover");
    const other = await listen(await stack.token("staff"));
    const { body } = await stack.browser().get("/api/me", { Authorization: `Bearer ${mover}` });
    const by = { actor: { kind: "staff", id: "user_boss" }, correlationId: "a-test" } as const;
    let first = await listen(mover);
    /** Comes back as soon as the stream has ended; answers whether that took less than a beat. */
    async function comeBack(role: "compliance" | "manager"): Promise<[HeardEvents, boolean]> {
      const changedAt = performance.now();
      await stack.settings.execute({
        command: { type: "GrantStaff", data: { userId: body.userId, role } },
        commandId: `a-grant-of-${role}-${changedAt}`,
        by,
        expectedRevision: stack.settings.current().revision,
      });
      await vi.waitFor(() => expect(first.ended()).toBe(true), soon);
      return [await listen(mover), performance.now() - changedAt < beatEveryMs];
    }
    let [second, inTime] = await comeBack("compliance");
    for (let tries = 0; !inTime; tries++) {
      first = second;
      [second, inTime] = await comeBack(tries % 2 === 0 ? "manager" : "compliance");
    }
    expect(second.status).toBe(200);
    await vi.waitFor(() => expect(second.ended()).toBe(true), soon);
    // Later comers stay.
    await vi.waitFor(async () => {
      const later = await listen(mover);
      await vi.waitFor(
        () => expect(later.ended() || (later.text().match(/still here/g)?.length ?? 0) > 2).toBe(true),
        soon,
      );
      expect(later.ended()).toBe(false);
      later.hangUp();
    }, soon);
    expect(other.ended()).toBe(false);
    other.hangUp();
  });

  test("tell when the health changes, and not while it stays as it is", async () => {
    let problem: string | undefined;
    await start({
      staffUpdateSettings: { beatEveryMs: 30, collectMs: 1 },
      readiness: [{ name: "projections", check: async () => problem }],
    });
    const heard = await listen(await stack.token("manager"));
    await vi.waitFor(() => expect(heard.text().match(/still here/g)?.length).toBeGreaterThan(3), soon);
    expect(changesIn(heard)).toEqual([]);
    problem = "orders is behind";
    await vi.waitFor(() => expect(changesIn(heard)).toEqual([{ topic: "health", key: "health" }]), soon);
    heard.hangUp();
  });

  test("have a limit for each person and one for all", async () => {
    await start({ staffUpdateSettings: { mostPerPerson: 1, mostStreams: 2 } });
    const first = await listen(await stack.token("staff"));
    expect((await listen(await stack.token("staff"))).status).toBe(429);
    const second = await listen(await stack.token("staff", "another colleague"));
    expect(second.status).toBe(200);
    expect((await listen(await stack.token("staff", "a third"))).status).toBe(503);
    for (const one of [first, second]) one.hangUp();
  });

  test("end after a while", async () => {
    await start({ staffUpdateSettings: { longestMs: 100 } });
    const heard = await listen(await stack.token("staff"));
    await vi.waitFor(() => expect(heard.ended()).toBe(true), soon);
    expect(heard.wasWhole()).toBe(true);
  });

  test("do not hold up the end of a gateway that stops", async () => {
    await start();
    const heard = await listen(await stack.token("staff"));
    await stack.stopServing();
    await vi.waitFor(() => expect(heard.ended()).toBe(true), soon);
    // Not cut at the end of the patience with who is slow.
    expect(heard.wasWhole()).toBe(true);
  });
});
