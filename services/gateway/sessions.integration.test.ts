import { Router } from "express";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestStack, type TestStack } from "../../testing/gateway/stack-fixture.ts";
import type { TestBrowser } from "../../testing/gateway/test-browser.ts";
import { userIdOf } from "../providers/clerk/sandbox/sandbox-identity.ts";

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack({ sandboxRoutes: Router() });
});
afterAll(() => stack.close());

const local = { Host: "localhost:3000" };
const signIn = async (username: string): Promise<TestBrowser> => {
  const browser = stack.browser();
  expect((await browser.post("/sandbox/identity/sign-in", { username }, local)).status).toBe(204);
  return browser;
};
const tokenOf = async (browser: TestBrowser): Promise<string | null> =>
  (await browser.post("/sandbox/identity/session-token", {}, local)).body.token;
const bearer = (token: string | null) => ({ Authorization: `Bearer ${token}` });
const me = (token: string | null) => stack.browser().get("/api/me", bearer(token));

describe("Who is signed in", () => {
  test("is shown to themselves, with the name and the role the server sees", async () => {
    const browser = await signIn("Morgan Hughes");
    const reply = await me(await tokenOf(browser));
    expect(reply.body).toEqual({ userId: userIdOf("Morgan Hughes"), name: "Morgan Hughes", role: "manager" });
    expect(reply.headers.get("Cache-Control")).toBe("no-store");
    expect((await me(await tokenOf(await signIn("Taylor Price")))).body).toMatchObject({ role: null });
  });

  test("needs a token, and the session's cookie is not one", async () => {
    const browser = await signIn("Morgan Hughes");
    expect((await browser.get("/api/me")).status).toBe(401);
    expect(await tokenOf(stack.browser())).toBeNull();
  });

  test("is kept in a cookie that no script reads and no other site sends", async () => {
    const reply = await stack.browser().post("/sandbox/identity/sign-in", { username: "Robin Ellis" }, local);
    const [cookie = ""] = reply.headers.getSetCookie();
    expect(cookie).toMatch(
      /^sandbox-session=[\w-]{43}; Max-Age=604800; Path=\/sandbox\/identity; HttpOnly; SameSite=Lax$/,
    );
  });
});

describe("Signing out", () => {
  test("makes the tokens of this session worthless at once, and leaves the others", async () => {
    const [here, there] = [await signIn("Robin Ellis"), await signIn("Robin Ellis")];
    const [token, other] = [await tokenOf(here), await tokenOf(there)];
    expect((await here.post("/api/me/sign-out", {}, bearer(token))).status).toBe(204);
    expect((await me(token)).status).toBe(401);
    expect((await stack.browser().get("/api/admin/orders", bearer(token))).status).toBe(401);
    expect(await tokenOf(here)).toBeNull();
    expect((await me(other)).status).toBe(200);
    expect(await tokenOf(there)).not.toBeNull();
  });

  test("everywhere invalidates the tokens of every session, and a new sign-in works", async () => {
    const [here, there] = [await signIn("Sam Okafor"), await signIn("Sam Okafor")];
    const jules = await tokenOf(await signIn("Jules Hart"));
    const [token, other] = [await tokenOf(here), await tokenOf(there)];
    expect((await here.post("/api/me/sign-out-everywhere", {}, bearer(token))).status).toBe(204);
    for (const worthless of [token, other]) expect((await me(worthless)).status).toBe(401);
    for (const browser of [here, there]) expect(await tokenOf(browser)).toBeNull();
    expect((await me(jules)).status).toBe(200);
    expect((await me(await tokenOf(await signIn("Sam Okafor")))).status).toBe(200);
  });

  test("of the sandbox's page ends the session behind its cookie, and so does signing in as another person", async () => {
    const browser = await signIn("Robin Ellis");
    const cookie = { ...local, Cookie: browser.cookies };
    await browser.post("/sandbox/identity/sign-in", { username: "Jules Hart" }, local);
    const old = await stack.browser().post("/sandbox/identity/session-token", {}, cookie);
    expect(old.body.token).toBeNull();
    expect((await me(await tokenOf(browser))).body.name).toBe("Jules Hart");
    const reply = await browser.post("/sandbox/identity/sign-out", {}, local);
    expect(reply.headers.getSetCookie()[0]).toContain("Max-Age=0");
    expect(await tokenOf(browser)).toBeNull();
  });

  test("says nothing to another site's page", async () => {
    const browser = await signIn("Robin Ellis");
    const evil = { ...local, Origin: "https://evil.example" };
    for (const path of ["sign-in", "session-token", "sign-out", "token"]) {
      const reply = await browser.post(`/sandbox/identity/${path}`, { username: "x" }, evil);
      expect(reply.status).toBe(403);
    }
    expect(await tokenOf(browser)).not.toBeNull();
  });

  test.each([{ username: "" }, { username: "x".repeat(101) }, { username: "Mo", role: "owner" }, {}])(
    "is not to be confused with signing in as %j, which is refused",
    async (body) => {
      expect((await stack.browser().post("/sandbox/identity/sign-in", body, local)).status).toBe(422);
    },
  );
});
