import { once } from "node:events";
import { request as ask, createServer } from "node:http";
import express from "express";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createFromHere } from "./from-here.ts";

const secret = "s3cret-of-this-installation";
const portOf = z.object({ port: z.number() });
const answered = z.tuple([
  z.object({ statusCode: z.number(), headers: z.record(z.string(), z.unknown()), setEncoding: z.any() }),
]);

type Ask = { path?: string; method?: string; headers?: Record<string, string> };

async function pageAt(publicUrl: string | undefined) {
  const app = express().use("/sandbox", createFromHere({ publicUrl, secret }), (_request, response) => {
    response.send("mail");
  });
  const server = createServer(app).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = portOf.parse(server.address());
  return async ({ path = "/sandbox/mail", method = "GET", headers = {} }: Ask = {}) => {
    const asked = ask({
      port,
      path,
      method,
      agent: false,
      headers: { host: "localhost:3000", accept: "text/html", ...headers },
    }).end();
    const [{ statusCode, headers: given }] = answered.parse(await once(asked, "response"));
    return { status: statusCode, location: given.location, cookie: String(given["set-cookie"] ?? "") };
  };
}

describe("The sandbox of a site on this machine", () => {
  it.each([undefined, "http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000"])(
    "at %s shows its pages here without a secret",
    async (publicUrl) => {
      const open = await pageAt(publicUrl);
      expect(await open()).toMatchObject({ status: 200 });
    },
  );

  it.each<Record<string, string>>([
    { host: "evil.example" },
    { host: "localhost.evil.example" },
    { host: "evil.example@localhost" },
    { "x-forwarded-for": "198.51.100.7" },
    { via: "1.1 proxy" },
  ])("refuses a request with %j", async (headers) => {
    const open = await pageAt("http://localhost:3000");
    expect(await open({ headers })).toMatchObject({ status: 403 });
  });
});

describe("The sandbox of a site with a public address", () => {
  const publicUrl = "https://certificates.example";

  it("shows nothing through a proxy that rewrites the host and adds no header", async () => {
    const open = await pageAt(publicUrl);
    const [page, program] = [await open(), await open({ headers: { accept: "application/json" } })];
    expect([page.status, program.status]).toEqual([403, 403]);
    const post = await open({ method: "POST", path: `/sandbox/mail?secret=${secret}` });
    expect(post).toMatchObject({ status: 403, cookie: "" });
  });

  it("takes the secret once from its page's address, then recognises the browser", async () => {
    const open = await pageAt(publicUrl);
    const given = await open({ path: `/sandbox/mail?secret=${secret}` });
    expect(given).toMatchObject({ status: 303, location: "/sandbox/mail" });
    expect(given.cookie).toMatch(/^sandbox-secret=[^;]+; Path=\/sandbox; HttpOnly; SameSite=Strict$/);
    const cookie = given.cookie.split(";")[0] ?? "";
    expect(await open({ headers: { cookie } })).toMatchObject({ status: 200 });
    expect(await open({ headers: { cookie: `other=1; ${cookie}` } })).toMatchObject({ status: 200 });
  });

  it("takes the secret from a program's header", async () => {
    const open = await pageAt(publicUrl);
    expect(await open({ method: "POST", headers: { "sandbox-secret": secret } })).toMatchObject({
      status: 200,
    });
  });

  it.each(["", "wrong", secret.slice(0, -1), `${secret}x`])("refuses %j as the secret", async (wrong) => {
    const open = await pageAt(publicUrl);
    const asked = await open({ path: `/sandbox/mail?secret=${wrong}` });
    expect(asked).toMatchObject({ status: 403, cookie: "" });
    expect(await open({ headers: { "sandbox-secret": wrong } })).toMatchObject({ status: 403 });
  });

  it("does not ask other machines for it: the secret alone gives no access", async () => {
    const open = await pageAt(publicUrl);
    for (const headers of [{ host: "certificates.example" }, { "x-forwarded-for": "198.51.100.7" }])
      expect(await open({ headers: { ...headers, "sandbox-secret": secret } })).toMatchObject({
        status: 403,
      });
  });
});
