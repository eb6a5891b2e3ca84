import { generateKeyPairSync } from "node:crypto";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { ConfigurationError, readConfig } from "../../infra/config/config.ts";
import {
  modesOf,
  refuseAlone,
  refuseOwnSandbox,
  refuseSandboxInProduction,
  sandboxedOf,
} from "./provider-modes.ts";

const pem = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .publicKey.export({ type: "spki", format: "pem" })
  .toString();

const stripe = (world: "test" | "live") => ({
  STRIPE_SECRET_KEY: `rk_${world}_abcdefghij0123`,
  STRIPE_PUBLISHABLE_KEY: `pk_${world}_abcdefghij0123`,
  STRIPE_WEBHOOK_SECRET: "whsec_abcdefghijklmnop",
});
const clerk = (world: "test" | "live") => ({
  CLERK_SECRET_KEY: `sk_${world}_abcdefghij0123`,
  CLERK_PUBLISHABLE_KEY: `pk_${world}_${Buffer.from("clerk.example.com$").toString("base64")}`,
  CLERK_JWT_KEY: pem,
  CLERK_ISSUER: "https://clerk.example.com",
});
const smtp = { SMTP_URL: "smtps://user:pass@mail.example.com" };
const automation = {
  GRO_AUTOMATION_URL: "https://gro.example.com",
  GRO_AUTOMATION_SECRET: `whsec_${Buffer.alloc(32).toString("base64")}`,
};
const real = { ...stripe("live"), ...clerk("live"), ...smtp, ...automation };

const configOf = (values: Record<string, string>) =>
  readConfig({ PUBLIC_URL: "https://www.example.com", NODE_ENV: "production", ...values }, tmpdir());
const start = (values: Record<string, string>) => () => refuseSandboxInProduction(configOf(values));

describe("in production", () => {
  it("starts with real providers only", () => {
    expect(start(real)).not.toThrow();
  });

  it("accepts submission by hand as real", () => {
    const byHand = { ...stripe("live"), ...clerk("live"), ...smtp, GRO_SUBMISSION: "by-hand" };
    expect(start(byHand)).not.toThrow();
    expect(start({ ...byHand, GRO_SUBMISSION: "" })).toThrow("nothing would be sent");
    expect(start({ GRO_SUBMISSION: "by-hand" })).toThrow(/^(?!.*nothing would be sent)/);
  });

  it("refuses the sandbox throughout, naming all four", () => {
    expect(start({})).toThrow(ConfigurationError);
    expect(start({})).toThrow(
      /STRIPE_SECRET_KEY.*CLERK_SECRET_KEY.*GRO_AUTOMATION_URL.*SMTP_URL.*ALLOW_SANDBOX/,
    );
  });

  it("refuses one sandbox provider, naming it alone", () => {
    const rest = { ...stripe("live"), ...clerk("live"), ...automation };
    expect(start(rest)).toThrow("the sandbox is used: no mail would arrive (SMTP_URL). Set");
    expect(start(rest)).toThrow(/^(?!.*STRIPE)/);
  });

  it("refuses a test key, which charges no one, however real it looks", () => {
    expect(start({ ...real, ...stripe("test") })).toThrow(
      "a provider is in test mode: no card would be charged",
    );
    expect(start({ ...real, ...clerk("test") })).toThrow("a development instance");
  });

  it("refuses a remote mail server without encryption, but not a local one", () => {
    const through = (SMTP_URL: string) => start({ ...real, SMTP_URL });
    expect(through("smtp://mail:1025?tls=false")).toThrow("mails would leave unencrypted");
    expect(through("smtp://127.0.0.1:25")).not.toThrow();
    expect(through("smtp://mail:587")).not.toThrow();
  });

  it("starts with any of these when allowed explicitly", () => {
    expect(start({ ALLOW_SANDBOX: "1" })).not.toThrow();
    expect(start({ ...stripe("test"), ALLOW_SANDBOX: "1" })).not.toThrow();
  });
});

describe("provider modes", () => {
  it("are shown to the pages as they are", () => {
    const modes = (values: Record<string, string>) => modesOf(configOf(values).providers);
    expect(modes({})).toEqual({
      payments: "sandbox",
      identity: "sandbox",
      submission: "sandbox",
      mail: "sandbox",
    });
    expect(modes({ ...stripe("test"), ...automation })).toEqual({
      payments: "test",
      identity: "sandbox",
      submission: "live",
      mail: "sandbox",
    });
    expect(modes({ GRO_SUBMISSION: "by-hand" })).toMatchObject({ submission: "byHand", mail: "sandbox" });
    expect(new Set(Object.values(modes(real)))).toEqual(new Set(["live"]));
  });

  it("use the sandbox only for providers without keys", () => {
    const sandboxed = (values: Record<string, string>) => [...sandboxedOf(configOf(values).providers)];
    expect(sandboxed({})).toEqual(["payments", "submission", "mail"]);
    expect(sandboxed({ ...stripe("test"), ...smtp })).toEqual(["submission"]);
    expect(sandboxed({ ...stripe("test"), GRO_SUBMISSION: "by-hand" })).toEqual(["mail"]);
    expect(sandboxed(real)).toEqual([]);
  });
});

const plainConfig = (settings: Record<string, string>) => readConfig(settings, import.meta.dirname);
const database = { DATABASE_URL: "postgres://localhost/orders" };

describe("a standalone process", () => {
  it("is refused on the embedded database, which cannot be shared", () => {
    expect(() => refuseAlone(plainConfig({}), "A standalone worker")).toThrow(
      /^A standalone worker shares its database .* set DATABASE_URL, and KEY_DIR/,
    );
    expect(() => refuseAlone(plainConfig(database), "A standalone worker")).not.toThrow();
  });

  it("is refused with an embedded sandbox, naming the sandboxed providers", () => {
    expect(() => refuseOwnSandbox(plainConfig(database), "A standalone gateway")).toThrow(
      /would use a sandbox of its own for payments, submission, mail: .* set SANDBOX_URL/,
    );
    const elsewhere = plainConfig({ ...database, SANDBOX_URL: "http://127.0.0.1:3010" });
    expect(() => refuseOwnSandbox(elsewhere, "A standalone gateway")).not.toThrow();
  });
});

describe("the sandbox's ports", () => {
  it("are relative to its own address, if it has one", () => {
    const { SANDBOX_CARD_PORT, SANDBOX_SMTP_PORT } = plainConfig({ SANDBOX_URL: "http://127.0.0.1:3010/" });
    expect([SANDBOX_CARD_PORT, SANDBOX_SMTP_PORT]).toEqual([3011, 3012]);
  });

  it("are relative to the product's otherwise", () => {
    const { SANDBOX_CARD_PORT, SANDBOX_SMTP_PORT } = plainConfig({ PORT: "3000" });
    expect([SANDBOX_CARD_PORT, SANDBOX_SMTP_PORT]).toEqual([3001, 0]);
  });
});
