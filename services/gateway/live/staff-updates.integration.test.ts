import { afterEach, describe, expect, test, vi } from "vitest";
import { variantBody } from "../request-bodies-fixture.ts";
import { createdOrder, startTestStack, type TestStack } from "../stack-fixture.ts";
import { type HeardEvents, listenTo } from "./event-reader-fixture.ts";

let stack: TestStack;
afterEach(() => stack.close());

const patiently = { timeout: 5000 };
const start = async (options: Parameters<typeof startTestStack>[0] = {}) => {
  stack = await startTestStack(options);
};
const listen = async (token: string): Promise<HeardEvents> =>
  listenTo(`${stack.url}/api/admin/updates`, { Authorization: `Bearer ${token}` });
const told = ({ text }: HeardEvents): unknown[] =>
  [...text().matchAll(/^data: (.+)$/gm)].map(([, data = ""]) => JSON.parse(data));

describe("Updates of the back office", () => {
  test("name the order that changed within a second, to every role, and hold nothing of a person", async () => {
    await start();
    const heard = await Promise.all(
      (["staff", "manager", "compliance"] as const).map(async (role) => listen(await stack.token(role))),
    );
    const browser = stack.browser();
    const { id } = await createdOrder(browser);
    for (const one of heard)
      await vi.waitFor(() => expect(told(one)).toEqual([{ topic: "orders", key: id }]), { timeout: 2000 });
    const reply = await browser.post(`/api/orders/${id}/variants`, variantBody());
    const [first] = heard;
    if (!first) throw new Error("Three listened.");
    await vi.waitFor(() => expect(first.changes().at(-1)).toBe(reply.headers.get("Position")), patiently);
    expect(first.text()).toMatch(
      /^retry: 5000\n\n(event: changed\nid: [\w.:-]+\ndata: \{"topic":"orders","key":"[0-9a-f-]{36}"\}\n\n)+$/,
    );
    for (const one of heard) one.hangUp();
  });

  test("are not for customers, nor for anybody without a token", async () => {
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
    await vi.waitFor(() => expect(heard.ended()).toBe(true), patiently);
    expect(other.ended()).toBe(false);
    await stack.browser().post("/api/me/sign-out-everywhere", {}, { Authorization: `Bearer ${another}` });
    await vi.waitFor(() => expect(other.ended()).toBe(true), patiently);
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
    await vi.waitFor(() => expect(left.ended()).toBe(true), patiently);
    expect((await listen(tokens.leaver)).status).toBe(403);
    expect(stayed.ended()).toBe(false);
    stayed.hangUp();
  });

  test("end once more for who came back at once when their role changed: settings may follow later", async () => {
    await start({ staffUpdateSettings: { beatEveryMs: 3000 } });
    const mover = await stack.token("staff", "mover");
    const other = await listen(await stack.token("staff"));
    const first = await listen(mover);
    const { body } = await stack.browser().get("/api/me", { Authorization: `Bearer ${mover}` });
    const by = { actor: { kind: "staff", id: "user_boss" }, correlationId: "a-test" } as const;
    await stack.settings.tell({
      command: { type: "GrantStaff", data: { userId: body.userId, role: "compliance" } },
      commandId: "a-grant",
      by,
      expectedRevision: stack.settings.current().revision,
    });
    await vi.waitFor(() => expect(first.ended()).toBe(true), patiently);
    const second = await listen(mover);
    expect(second.status).toBe(200);
    const beat = { timeout: 8000 };
    await vi.waitFor(() => expect(second.ended()).toBe(true), beat);
    const third = await listen(mover);
    await vi.waitFor(() => expect(third.text()).toContain("still here"), beat);
    expect([third.ended(), other.ended()]).toEqual([false, false]);
    for (const one of [third, other]) one.hangUp();
  });

  test("tell when the health changes, and not while it stays as it is", async () => {
    let problem: string | undefined;
    await start({
      staffUpdateSettings: { beatEveryMs: 30, collectMs: 1 },
      readiness: [{ name: "projections", check: async () => problem }],
    });
    const heard = await listen(await stack.token("manager"));
    await vi.waitFor(() => expect(heard.text().match(/still here/g)?.length).toBeGreaterThan(3), patiently);
    expect(told(heard)).toEqual([]);
    problem = "order-list is behind";
    await vi.waitFor(() => expect(told(heard)).toEqual([{ topic: "health", key: "health" }]), patiently);
    heard.hangUp();
  });

  test("have a limit for each person and one for all, and end after a while", async () => {
    await start({ staffUpdateSettings: { mostPerPerson: 1, mostStreams: 2, longestMs: 1500 } });
    const first = await listen(await stack.token("staff"));
    expect((await listen(await stack.token("staff"))).status).toBe(429);
    const second = await listen(await stack.token("staff", "somebody else"));
    expect(second.status).toBe(200);
    expect((await listen(await stack.token("staff", "a third"))).status).toBe(503);
    await vi.waitFor(() => expect([first.ended(), second.ended()]).toEqual([true, true]), patiently);
  });

  test("do not hold up the end of a gateway that stops", async () => {
    await start();
    const heard = await listen(await stack.token("staff"));
    const startedAt = performance.now();
    await stack.stopServing();
    expect(performance.now() - startedAt).toBeLessThan(2000);
    await vi.waitFor(() => expect(heard.ended()).toBe(true), patiently);
  });
});
