import { generateKeyPairSync } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { ConfigurationError, readConfig } from "./config.ts";

let folder: string;
beforeAll(() => {
  folder = temporaryFolder("providers");
});

type Values = Record<string, string>;
const read = (values: Values) => readConfig(values, folder).providers;
const without = (values: Values, name: string): Values =>
  Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));
const signing = (fill: number, bytes = 32) => `whsec_${Buffer.alloc(bytes, fill).toString("base64")}`;
const publicKey = (bits: number) =>
  generateKeyPairSync("rsa", { modulusLength: bits })
    .publicKey.export({ type: "spki", format: "pem" })
    .toString();
const pem = publicKey(2048);
const privatePem = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();

const site = { PUBLIC_URL: "https://www.example.com" };
const stripe: Values = {
  ...site,
  STRIPE_SECRET_KEY: "rk_live_abcdefghij0123",
  STRIPE_PUBLISHABLE_KEY: "pk_live_abcdefghij0123",
  STRIPE_WEBHOOK_SECRET: "whsec_abcdefghijklmnop",
};
const clerkKeyOf = (host: string, world = "live") =>
  `pk_${world}_${Buffer.from(`${host}$`).toString("base64")}`;
const clerk: Values = {
  ...site,
  CLERK_SECRET_KEY: "sk_live_abcdefghij0123",
  CLERK_PUBLISHABLE_KEY: clerkKeyOf("clerk.example.com"),
  CLERK_JWT_KEY: pem.replaceAll("\n", "\\n"),
  CLERK_ISSUER: "https://clerk.example.com/",
};
const automation: Values = {
  GRO_AUTOMATION_URL: "https://gro.example.com/v1/",
  GRO_AUTOMATION_SECRET: signing(1),
};

describe("submission by hand", () => {
  const byHand: Values = { GRO_SUBMISSION: "by-hand" };

  it("is chosen by its setting alone", () => {
    expect(read(byHand)).toMatchObject({ submissionByHand: true, automation: undefined });
    expect(read({})).toMatchObject({ submissionByHand: false });
  });

  it("is refused together with an automation service", () => {
    expect(() => read({ ...byHand, ...automation })).toThrow(
      "GRO_SUBMISSION is by-hand, but GRO_AUTOMATION_URL and GRO_AUTOMATION_SECRET are set: either staff submit, or the automation service does. Remove one or the other.",
    );
  });

  it("accepts no other spelling", () => {
    expect(() => read({ GRO_SUBMISSION: "manual" })).toThrow(
      'GRO_SUBMISSION is "manual" but must be by-hand, or not set',
    );
  });
});

describe("mail that comes in", () => {
  const mailIn = (MAIL_IN_URL: string, more: Values = {}) =>
    read({ MAIL_IN_URL, MAIL_IN_ADDRESS: "Help@example.com", ...more }).mailIn;

  it.each(["lmtp", "smtp"])("is taken by a listener for %s", (protocol) => {
    expect(mailIn(`${protocol}://[::1]:2424`)).toEqual({
      address: "help@example.com",
      authServer: undefined,
      dkimSelector: undefined,
      from: { protocol, host: "::1", port: 2424 },
    });
  });

  it("is read from a mailbox", () => {
    const login = { user: "help@example.com", password: "correct/horse" };
    const more = { MAIL_IN_AUTH_SERVER: "mx.example.com", MAIL_DKIM_SELECTOR: "mail2026" };
    expect(
      mailIn("imaps://help%40example.com:correct%2Fhorse@mail.example.com/Customer%20mail", more),
    ).toEqual({
      address: "help@example.com",
      authServer: "mx.example.com",
      dkimSelector: "mail2026",
      from: {
        protocol: "imap",
        host: "mail.example.com",
        port: 993,
        tls: true,
        login,
        folder: "Customer mail",
      },
    });
    expect(mailIn("imap://user:password@localhost")?.from).toMatchObject({
      port: 143,
      tls: false,
      folder: "INBOX",
    });
  });

  it("needs an address", () => {
    expect(() => read({ MAIL_IN_URL: "lmtp://127.0.0.1:2424" })).toThrow("MAIL_IN_ADDRESS is missing, but");
  });

  it("may be taken in by another process", () => {
    expect(read({ MAIL_IN_ADDRESS: "help@example.com" }).mailIn).toEqual({
      address: "help@example.com",
      authServer: undefined,
      dkimSelector: undefined,
      from: undefined,
    });
  });

  it("may be scanned", () => {
    expect(read({ SCANNER_URL: "tcp://127.0.0.1:3310" }).scanner).toEqual({ host: "127.0.0.1", port: 3310 });
  });
});

describe("providers", () => {
  it("are each enabled by their own keys alone", () => {
    expect(read(stripe)).toEqual({
      stripe: {
        secretKey: stripe.STRIPE_SECRET_KEY,
        publishableKey: stripe.STRIPE_PUBLISHABLE_KEY,
        webhookSecret: stripe.STRIPE_WEBHOOK_SECRET,
        mode: "live",
      },
      clerk: undefined,
      smtp: undefined,
      mailIn: undefined,
      scanner: undefined,
      automation: undefined,
      submissionByHand: false,
    });
    expect(read({ SMTP_URL: "smtp://localhost:1025" })).toMatchObject({
      stripe: undefined,
      smtp: { tls: "none" },
    });
  });

  it("take Clerk's key with escaped line ends, and our origin as the authorised party", () => {
    expect(read(clerk).clerk).toEqual({
      secretKey: clerk.CLERK_SECRET_KEY,
      publishableKey: clerk.CLERK_PUBLISHABLE_KEY,
      jwtKey: pem.trim(),
      issuer: "https://clerk.example.com",
      authorizedParties: ["https://www.example.com"],
      audiences: [],
      frontendHost: "clerk.example.com",
      mode: "live",
    });
    const parties = "https://a.example, https://b.example";
    expect(read({ ...clerk, CLERK_AUTHORIZED_PARTIES: parties, CLERK_JWT_KEY: pem }).clerk).toMatchObject({
      authorizedParties: ["https://a.example", "https://b.example"],
      jwtKey: pem.trim(),
    });
  });

  it("take the audiences allowed in Clerk's session tokens", () => {
    const { audiences } =
      read({ ...clerk, CLERK_AUDIENCE: "certificates, https://office.example" }).clerk ?? {};
    expect(audiences).toEqual(["certificates", "https://office.example"]);
  });

  it("accept callbacks signed with the secret, with another, or with either of two", () => {
    expect(read(automation).automation).toEqual({
      url: "https://gro.example.com/v1",
      secret: signing(1),
      callbackSecrets: [signing(1)],
    });
    const two = { ...automation, GRO_CALLBACK_SECRET: `${signing(2)}, ${signing(3)}` };
    expect(read(two).automation?.callbackSecrets).toEqual([signing(2), signing(3)]);
  });

  it.each([
    ["smtps://user:p%40ss@mail.example.com", "mail.example.com", 465, "whole", "p@ss"],
    ["smtp://user:pass@mail.example.com", "mail.example.com", 587, "upgrade", "pass"],
    ["smtp://user:pass@localhost:2525", "localhost", 2525, "upgrade", "pass"],
    ["smtp://mail:1025?tls=false", "mail", 1025, "none", undefined],
    ["smtp://mail.example.com", "mail.example.com", 587, "upgrade", undefined],
    ["smtp://[::1]:1025", "::1", 1025, "none", undefined],
  ])("read the mail server of %s", (SMTP_URL, host, port, tls, password) => {
    expect(read({ SMTP_URL, MAIL_FROM: "bounces@example.com" }).smtp).toEqual({
      host,
      port,
      tls,
      login: password === undefined ? undefined : { user: "user", password },
      envelopeFrom: "bounces@example.com",
    });
  });

  it.each([
    ["Stripe", stripe, ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"]],
    ["Clerk", clerk, ["CLERK_SECRET_KEY", "CLERK_PUBLISHABLE_KEY", "CLERK_JWT_KEY", "CLERK_ISSUER"]],
    ["automation", automation, ["GRO_AUTOMATION_URL", "GRO_AUTOMATION_SECRET"]],
  ])("of %s stop the start by name when any one is missing", (_provider, whole, names) => {
    for (const name of names) {
      expect(() => read(without(whole, name))).toThrow(ConfigurationError);
      expect(() => read(without(whole, name))).toThrow(`${name} is missing, but `);
    }
  });

  it("report each missing name, and each that means nothing alone", () => {
    const some = { STRIPE_WEBHOOK_SECRET: "whsec_abcdefghijklmnop", MAIL_FROM: "a@b.example" };
    expect(() => read(some)).toThrow(
      /STRIPE_SECRET_KEY is missing[\s\S]*STRIPE_PUBLISHABLE_KEY is missing[\s\S]*SMTP_URL is missing, but MAIL_FROM is set/,
    );
  });

  it("need PUBLIC_URL", () => {
    expect(() => read(without(stripe, "PUBLIC_URL"))).toThrow(
      "PUBLIC_URL is missing, but Stripe must know our address",
    );
    expect(() => read(without({ ...stripe, ...clerk }, "PUBLIC_URL"))).toThrow("but Stripe and Clerk must");
    expect(() => read({ ...stripe, PUBLIC_URL: "http://www.example.com" })).toThrow("need https://");
  });

  it.each([
    [stripe, "STRIPE_PUBLISHABLE_KEY", "pk_test_abcdefghij0123", "do not match"],
    [clerk, "CLERK_SECRET_KEY", "sk_test_abcdefghij0123", "do not match"],
    [stripe, "STRIPE_SECRET_KEY", "pk_live_abcdefghij0123", "is a publishable key"],
    [stripe, "STRIPE_SECRET_KEY", "whsec_abcdefghijklmnop", "is the secret of a webhook"],
    [stripe, "STRIPE_SECRET_KEY", "opensesame", "must be a secret or restricted key"],
    [stripe, "STRIPE_PUBLISHABLE_KEY", "sk_live_abcdefghij0123", "every visitor is shown this one"],
    [stripe, "STRIPE_PUBLISHABLE_KEY", clerkKeyOf("clerk.example.com"), "is a key of Clerk's"],
    [stripe, "STRIPE_PUBLISHABLE_KEY", "opensesame", "must be a publishable key of Stripe"],
    [stripe, "STRIPE_WEBHOOK_SECRET", "sk_live_abcdefghij0123", "is an API key"],
    [stripe, "STRIPE_WEBHOOK_SECRET", "opensesame", "must be the signing secret"],
    [clerk, "CLERK_SECRET_KEY", clerkKeyOf("a.example"), "is a publishable key"],
    [clerk, "CLERK_SECRET_KEY", "opensesame", "must be a secret key of Clerk"],
    [clerk, "CLERK_PUBLISHABLE_KEY", "sk_live_abcdefghij0123", "every visitor is shown this one"],
    [clerk, "CLERK_PUBLISHABLE_KEY", "pk_live_abcdefghij0123", "which holds the address"],
    [clerk, "CLERK_JWT_KEY", "opensesame", "must be the JWKS public key"],
    [clerk, "CLERK_JWT_KEY", privatePem, "is a private key"],
    [clerk, "CLERK_JWT_KEY", publicKey(1024), "must be the JWKS public key"],
    [clerk, "CLERK_ISSUER", "http://clerk.example.com", "Frontend API, https://"],
    [clerk, "CLERK_ISSUER", "clerk", "Frontend API, https://"],
    [clerk, "CLERK_AUTHORIZED_PARTIES", "https://a.example/", "must be origins"],
    [clerk, "CLERK_AUDIENCE", "one,,two", "must be the audience"],
    [clerk, "CLERK_AUDIENCE", "two words", "must be the audience"],
    [automation, "GRO_AUTOMATION_URL", "ftp://gro.example.com", "must be an address like https://"],
    [automation, "GRO_AUTOMATION_URL", "https://opensesame@gro.example.com", "without user"],
    [automation, "GRO_AUTOMATION_URL", "gro", "must be an address like https://"],
    [automation, "GRO_AUTOMATION_SECRET", "opensesame", "24 to 64 random bytes"],
    [automation, "GRO_AUTOMATION_SECRET", signing(1, 16), "24 to 64 random bytes"],
    [automation, "GRO_AUTOMATION_SECRET", `${signing(1)},${signing(2)}`, "must be a secret of"],
    [automation, "GRO_CALLBACK_SECRET", "opensesame", "or two separated by a comma"],
    [{}, "SMTP_URL", "mail.example.com", "must be an address like smtp://"],
    [{}, "SMTP_URL", "http://mail.example.com", "must be an address like smtp://"],
    [{}, "SMTP_URL", "smtp://user:opensesame%@mail.example.com", "has a % in user or password"],
    [{}, "SMTP_URL", "smtp://opensesame@mail.example.com", "a user or a password but not both"],
    [{}, "SMTP_URL", "smtps://mail.example.com?tls=false", "asks for TLS (smtps) and for none"],
    [{}, "SMTP_URL", "smtp://user:opensesame@mail.example.com?tls=false", "a password unencrypted"],
    [{}, "MAIL_IN_URL", "127.0.0.1:2424", "must be an address like lmtp://"],
    [{}, "MAIL_IN_URL", "lmtp://127.0.0.1", "must be an address like lmtp://"],
    [{}, "MAIL_IN_URL", "smtp://user:opensesame@127.0.0.1:25", "must be an address like lmtp://"],
    [{}, "MAIL_IN_URL", "imaps://mail.example.com/INBOX", "has no user and password"],
    [{}, "MAIL_IN_URL", "imaps://user:opensesame%@mail.example.com", "is not encoded"],
    [{}, "MAIL_IN_URL", "imap://user:opensesame@mail.example.com", "unencrypted: use imaps://"],
    [{}, "MAIL_IN_ADDRESS", "help", "must be an email address without a +"],
    [{}, "MAIL_IN_ADDRESS", "help+us@example.com", "must be an email address without a +"],
    [{}, "MAIL_IN_ADDRESS", "certificates@example.com", "has more than 11 characters before the @"],
    [{}, "MAIL_IN_AUTH_SERVER", "https://mx.example.com", "must be a host name"],
    [{}, "MAIL_DKIM_SELECTOR", "mail2026 ._domainkey", "must be the selector alone"],
    [{}, "MAIL_DKIM_SELECTOR", "mail2026._domainkey.example.com", "must be the selector alone"],
    [{}, "SCANNER_URL", "127.0.0.1:3310", "must be an address like tcp://"],
    [{}, "SCANNER_URL", "tcp://127.0.0.1", "must be an address like tcp://"],
  ])("refuse a value in the wrong setting, without repeating it: %#", (whole, name, value, reason) => {
    const said = sentenceOf({ ...whole, [name]: value });
    expect(said).toContain(reason);
    expect(said).toContain(name);
    expect(said).not.toContain("opensesame");
    expect(said).not.toContain("abcdefghij0123");
  });

  it("require encryption in production, except to this machine", () => {
    const plain = { ...automation, GRO_AUTOMATION_URL: "http://gro.example.com" };
    expect(read(plain).automation?.url).toBe("http://gro.example.com");
    expect(() => read({ ...plain, NODE_ENV: "production" })).toThrow("may only leave this machine encrypted");
    const own = { ...plain, GRO_AUTOMATION_URL: "http://127.0.0.1:4000", NODE_ENV: "production" };
    expect(read(own).automation?.url).toBe("http://127.0.0.1:4000");
  });
});

function sentenceOf(values: Values): string {
  try {
    read(values);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  return "";
}
