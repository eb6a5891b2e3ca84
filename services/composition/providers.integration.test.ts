import { generateKeyPairSync, randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import express from "express";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../../infra/config/config.ts";
import { installationSecrets } from "../../infra/key-ring/installation-secrets.ts";
import { createPool, type Pool } from "../../infra/postgres/pool.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { memoryBook } from "../../testing/services/settings-fixture.ts";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { createLetProviderIn } from "../gateway/pages/site.ts";
import { securityHeaders } from "../gateway/security-headers.ts";
import { sandboxKeysOf } from "../providers/sandbox/addresses.ts";
import { listen } from "../providers/sandbox/http-server.ts";
import { type OutsideWorld, reachOutside } from "./providers.ts";

let folder: string;
let pool: Pool;
let closing: AsyncDisposableStack;

beforeEach(async () => {
  closing = new AsyncDisposableStack();
  folder = temporaryFolder("outside");
  mkdirSync(join(folder, "keys"));
  const database = await testDatabase();
  closing.defer(() => database.drop());
  pool = createPool(database.connectionString, 4);
  closing.defer(() => pool.end());
});
afterEach(() => closing.disposeAsync());

const publicUrl = "https://www.example.com";
const stripe = {
  STRIPE_SECRET_KEY: "sk_live_abcdefghij0123",
  STRIPE_PUBLISHABLE_KEY: "pk_live_abcdefghij0123",
  STRIPE_WEBHOOK_SECRET: "whsec_abcdefghijklmnop",
};
const pem = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .publicKey.export({ type: "spki", format: "pem" })
  .toString();
const others = {
  CLERK_SECRET_KEY: "sk_live_abcdefghij0123",
  CLERK_PUBLISHABLE_KEY: `pk_live_${Buffer.from("clerk.example.com$").toString("base64")}`,
  CLERK_JWT_KEY: pem,
  CLERK_ISSUER: "https://clerk.example.com",
  SMTP_URL: "smtps://user:pass@mail.example.com",
  GRO_AUTOMATION_URL: "https://gro.example.com",
  GRO_AUTOMATION_SECRET: `whsec_${Buffer.alloc(32).toString("base64")}`,
};

async function reach(values: Record<string, string>): Promise<OutsideWorld> {
  const config = readConfig({ PUBLIC_URL: publicUrl, SANDBOX_CARD_PORT: "0", ...values }, folder);
  const ground = {
    pool,
    secrets: installationSecrets(join(folder, "keys")),
    now: () => new Date(),
    newId: () => randomUUID(),
    random: Math.random,
    log: pino({ level: "silent" }),
  };
  return reachOutside(config, publicUrl, ground, await memoryBook(ground), closing);
}

/** Content security policies of pages with and without sign-in, and the responses below /sandbox. */
async function pagesOf({ foreignOrigins, identityOrigins, sandbox }: OutsideWorld) {
  const app = express().use(securityHeaders(foreignOrigins, true));
  const letIn = identityOrigins && createLetProviderIn(identityOrigins, foreignOrigins, true);
  app.get("/", (_request, response) => response.end());
  app.get("/sign-in", (request, response) => response.end(letIn?.(request, response, "<head>")));
  if (sandbox) app.use("/sandbox", sandbox.routes);
  const server = await listen(app, "127.0.0.1", 0);
  closing.defer(() => server.close());
  const { pagesSecret } = sandboxKeysOf(await installationSecrets(join(folder, "keys")).secret("sandbox"));
  const get = (path: string) =>
    fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { "sandbox-secret": pagesSecret } });
  const policyOf = async (path: string) => (await get(path)).headers.get("content-security-policy") ?? "";
  const policy = await policyOf("/");
  const signInPolicy = await policyOf("/sign-in");
  const status = async (path: string) => (await get(`/sandbox${path}`)).status;
  return { policy, signInPolicy, status };
}

const schemas = async () =>
  (await pool.query<{ name: string }>("select nspname as name from pg_namespace")).rows.map(
    ({ name }) => name,
  );

describe("the providers", () => {
  it("without keys are all sandboxed, and pages may reach none of the real hosts", async () => {
    const outside = await reach({});
    expect(outside.shown).toMatchObject({
      modes: { payments: "sandbox", identity: "sandbox", submission: "sandbox", mail: "sandbox" },
      stripeScript: "/sandbox/stripe.js",
      clerkPublishableKey: null,
    });
    const { policy, signInPolicy, status } = await pagesOf(outside);
    expect(policy).not.toMatch(/stripe|clerk|cloudflare|blob|nonce/);
    expect(signInPolicy).toBe(policy);
    expect(outside.sandboxIdentity).toBeDefined();
    expect([await status("/stripe.js"), await status("/gro"), await status("/mail")]).toEqual([
      200, 200, 200,
    ]);
    const intent = { orderId: randomUUID(), amountPence: 4500, attempt: 1 };
    expect(await outside.payments.createIntent(intent)).toMatchObject({ status: "unpaid" });
  });

  it("with Stripe keys use Stripe's card fields, and the sandbox for the rest", async () => {
    const outside = await reach(stripe);
    expect(outside.shown).toMatchObject({
      modes: { payments: "live", identity: "sandbox", submission: "sandbox", mail: "sandbox" },
      publishableKey: stripe.STRIPE_PUBLISHABLE_KEY,
      stripeScript: null,
    });
    const { policy, status } = await pagesOf(outside);
    expect(policy).toContain("script-src 'self' https://js.stripe.com https://*.js.stripe.com;");
    expect(policy).toContain("connect-src 'self' https://api.stripe.com;");
    expect(policy).toContain("https://hooks.stripe.com");
    expect(policy).not.toMatch(/localhost|127\.0\.0\.1|clerk|cloudflare/);
    const found = [await status("/stripe.js"), await status("/payments"), await status("/gro")];
    expect(found).toEqual([404, 404, 200]);
  });

  it("with all keys have no sandbox, not even its tables", async () => {
    const outside = await reach({ ...stripe, ...others });
    expect(outside.shown).toMatchObject({
      modes: { payments: "live", identity: "live", submission: "live", mail: "live" },
      clerkPublishableKey: others.CLERK_PUBLISHABLE_KEY,
    });
    expect(outside.sandbox).toBeUndefined();
    expect(outside.sandboxIdentity).toBeUndefined();
    expect(await schemas()).not.toContain("sandbox");
    const { policy, signInPolicy } = await pagesOf(outside);
    expect(policy).not.toMatch(/clerk|cloudflare|blob|nonce/);
    expect(signInPolicy).toContain("https://clerk.example.com https://challenges.cloudflare.com;");
    expect(signInPolicy).toContain("connect-src 'self' https://api.stripe.com https://clerk.example.com;");
    expect(signInPolicy).toContain("img-src 'self' https://img.clerk.com;");
    expect(signInPolicy).toMatch(/style-src 'self' 'nonce-[A-Za-z0-9+/]{22}==';/);
  });

  it("with only Clerk keys accept no sandbox token", async () => {
    const sandboxed = await reach({});
    const who = await sandboxed.sandboxIdentity?.provider.signIn({ username: "alice", role: "manager" });
    const token = await sandboxed.sandboxIdentity?.provider.tokenOf(who ?? "");
    expect(await sandboxed.identify(token ?? "")).toMatchObject({ role: "manager" });
    const { SMTP_URL, GRO_AUTOMATION_URL, GRO_AUTOMATION_SECRET, ...clerk } = others;
    const real = await reach(clerk);
    expect(await real.identify(token ?? "")).toBeUndefined();
  });
});
