import { generateKeyPairSync } from "node:crypto";
import { importPKCS8, type JWTPayload, SignJWT } from "jose";
import { afterEach, describe, expect, test } from "vitest";
import type { Grant } from "../../domain/settings/vocabulary.ts";
import { createSandboxTokens, sandboxIssuer } from "../providers/clerk/sandbox/sandbox-identity.ts";
import type { SessionOfToken } from "./ended-sessions.ts";
import { createIdentify, type Role } from "./session-token.ts";

const pair = () =>
  generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
const ours = pair();
const others = pair();
const origin = "https://certificates.example";

const grants = new Map<string, Grant>();
afterEach(() => grants.clear());

const over = new Set<string>();
afterEach(() => over.clear());
const ended = { hasEnded: async ({ sessionId }: SessionOfToken) => over.has(sessionId) };

const identify = createIdentify({
  ended,
  publicKeyPem: ours.publicKey,
  issuer: sandboxIssuer,
  authorizedParties: [origin],
  audiences: [],
  adminUsernames: ["Alex.Manager"],
  grants: () => grants,
});

const inSeconds = (offset: number) => Math.floor(Date.now() / 1000) + offset;
const goodClaims = (): JWTPayload => ({
  iss: sandboxIssuer,
  sub: "user_1",
  sid: "sess_1",
  sts: "active",
  azp: origin,
  metadata: { role: "staff" },
  iat: inSeconds(-1),
  nbf: inSeconds(-1),
  exp: inSeconds(60),
});
const signed = async (claims: JWTPayload, key = ours.privateKey) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: "k" })
    .sign(await importPKCS8(key, "RS256"));

describe("a session token", () => {
  test("of an active session gives the user and their role", async () => {
    const claims = goodClaims();
    expect(await identify(await signed(claims))).toEqual({
      userId: "user_1",
      role: "staff",
      session: { userId: "user_1", sessionId: "sess_1", issuedAtSeconds: claims.iat },
    });
  });

  test.each<[string, JWTPayload]>([
    ["another issuer", { iss: "https://elsewhere.example" }],
    ["no session", { sid: undefined }],
    ["an empty session", { sid: "" }],
    ["text instead of a session id", { sid: "the first one" }],
    ["a session that has expired", { sts: "expired" }],
    ["a session whose sign-in is not finished", { sts: "pending" }],
    ["no session status", { sts: undefined }],
    ["another origin", { azp: "https://elsewhere.example" }],
    ["no origin", { azp: undefined }],
    ["a time that has passed", { exp: inSeconds(-60) }],
    ["a time to come", { nbf: inSeconds(600) }],
    ["no subject", { sub: "" }],
    ["an audience", { aud: "https://elsewhere.example" }],
    ["our origin as an unlisted audience", { aud: origin }],
    ["several audiences", { aud: ["https://elsewhere.example", "https://another.example"] }],
    ["an empty list of audiences", { aud: [] }],
    ["an empty audience", { aud: "" }],
    ["text instead of a subject id", { sub: "Jo Smith" }],
  ])("with %s proves nothing", async (_, wrong) => {
    expect(await identify(await signed({ ...goodClaims(), ...wrong }))).toBeUndefined();
  });

  test.each<[string, JWTPayload, boolean]>([
    ["from a clock three seconds ahead", { iat: inSeconds(3), nbf: inSeconds(3), exp: inSeconds(63) }, true],
    ["from a clock ten seconds ahead", { iat: inSeconds(10), nbf: inSeconds(10), exp: inSeconds(70) }, false],
    ["that ended three seconds ago", { iat: inSeconds(-63), exp: inSeconds(-2) }, true],
    ["that ended ten seconds ago", { iat: inSeconds(-70), exp: inSeconds(-10) }, false],
  ])("%s is accepted or refused by a tolerance of five seconds", async (_, times, good) => {
    const found = await identify(await signed({ ...goodClaims(), ...times }));
    expect(found !== undefined).toBe(good);
  });

  test("is accepted from pages of our sites only", async () => {
    const two = createIdentify({
      ended,
      publicKeyPem: ours.publicKey,
      issuer: sandboxIssuer,
      authorizedParties: [origin, "https://office.example"],
      audiences: [],
      adminUsernames: [],
      grants: () => grants,
    });
    for (const azp of [origin, "https://office.example"])
      expect(await two(await signed({ ...goodClaims(), azp }))).toMatchObject({ userId: "user_1" });
    for (const azp of [`${origin}.evil.example`, "http://certificates.example", `${origin}:8443`])
      expect(await two(await signed({ ...goodClaims(), azp }))).toBeUndefined();
  });

  test("with an audience is accepted if one of them is ours", async () => {
    const named = createIdentify({
      ended,
      publicKeyPem: ours.publicKey,
      issuer: sandboxIssuer,
      authorizedParties: [origin],
      audiences: ["certificates", "certificates-office"],
      adminUsernames: [],
      grants: () => grants,
    });
    expect(await named(await signed(goodClaims()))).toMatchObject({ userId: "user_1" });
    for (const aud of ["certificates", ["elsewhere", "certificates-office"]])
      expect(await named(await signed({ ...goodClaims(), aud }))).toMatchObject({ userId: "user_1" });
    for (const aud of ["elsewhere", "certificates2", ["elsewhere"], []])
      expect(await named(await signed({ ...goodClaims(), aud }))).toBeUndefined();
  });

  test("without a time of issue proves nothing", async () => {
    const { iat: _, ...claims } = goodClaims();
    expect(await identify(await signed(claims))).toBeUndefined();
  });

  test("of an ended session proves nothing, whatever its expiry", async () => {
    const token = await signed(goodClaims());
    expect(await identify(token)).toMatchObject({ userId: "user_1" });
    over.add("sess_1");
    expect(await identify(token)).toBeUndefined();
  });

  test("proves nothing while ended sessions cannot be checked", async () => {
    const blind = createIdentify({
      publicKeyPem: ours.publicKey,
      issuer: sandboxIssuer,
      authorizedParties: [origin],
      audiences: [],
      adminUsernames: [],
      grants: () => grants,
      ended: { hasEnded: () => Promise.reject(new Error("No database.")) },
    });
    await expect(blind(await signed(goodClaims()))).rejects.toThrow("No database.");
  });

  test("without a signature proves nothing", async () => {
    const encoded = (json: unknown) => Buffer.from(JSON.stringify(json)).toString("base64url");
    const unsigned = `${encoded({ alg: "none", typ: "JWT" })}.${encoded(goodClaims())}.`;
    expect(await identify(unsigned)).toBeUndefined();
    const [head, , signature] = (await signed(goodClaims())).split(".");
    const swapped = `${head}.${encoded({ ...goodClaims(), metadata: { role: "manager" } })}.${signature}`;
    expect(await identify(swapped)).toBeUndefined();
  });

  test("signed with the public key as if it were a secret proves nothing", async () => {
    const token = await new SignJWT(goodClaims())
      .setProtectedHeader({ alg: "HS256", typ: "JWT", kid: "k" })
      .sign(new TextEncoder().encode(ours.publicKey));
    expect(await identify(token)).toBeUndefined();
  });

  test("signed with another key proves nothing", async () => {
    expect(await identify(await signed(goodClaims(), others.privateKey))).toBeUndefined();
  });

  test.each(["", "clerk-user_2abc", "a.b.c", "eyJhbGciOiJub25lIn0.e30."])(
    "such as %j proves nothing",
    async (token) => {
      expect(await identify(token)).toBeUndefined();
    },
  );

  test("without a user name is accepted, and makes no one a manager", async () => {
    for (const username of [null, undefined, ""])
      expect(await identify(await signed({ ...goodClaims(), username }))).toMatchObject({ role: "staff" });
  });

  test("without a role, or with one we do not know, belongs to a customer", async () => {
    for (const metadata of [undefined, null, "", "manager", {}, [], { role: null }, { role: "owner" }])
      expect(await identify(await signed({ ...goodClaims(), metadata }))).toMatchObject({ role: undefined });
  });

  test("claims a role only in the metadata that only the operator can write", async () => {
    const elsewhere = { role: "manager", unsafe_metadata: { role: "manager" }, org_role: "manager" };
    expect(await identify(await signed({ ...goodClaims(), ...elsewhere, metadata: {} }))).toMatchObject({
      role: undefined,
    });
  });

  test.each([
    ["Alex.Manager", "manager"],
    ["alex.manager", undefined],
    ["Alex.Manager2", undefined],
    ["not-Alex.Manager", undefined],
  ])("of username %s has the role %s: the configured names count only whole", async (username, expected) => {
    const found = await identify(await signed({ ...goodClaims(), metadata: {}, username }));
    expect(found).toMatchObject({ userId: "user_1", role: expected });
  });

  test.each<[string, Grant, JWTPayload, string | undefined]>([
    ["a grant overrides the token's claim", "compliance", { metadata: { role: "staff" } }, "compliance"],
    ["a grant gives a role to a token without one", "manager", { metadata: {} }, "manager"],
    [
      "a revoked user has no role, whatever the token claims",
      "revoked",
      { metadata: { role: "manager" } },
      undefined,
    ],
    [
      "configured names override a revocation",
      "revoked",
      { metadata: {}, username: "Alex.Manager" },
      "manager",
    ],
  ])("%s", async (_, grant, claims, expected) => {
    grants.set("user_1", grant);
    expect(await identify(await signed({ ...goodClaims(), ...claims }))).toMatchObject({
      userId: "user_1",
      role: expected,
    });
  });

  test("loses its role at once when its user is revoked, without affecting others", async () => {
    const token = await signed(goodClaims());
    expect(await identify(token)).toMatchObject({ role: "staff" });
    grants.set("user_1", "revoked");
    grants.set("user_2", "manager");
    expect(await identify(token)).toMatchObject({ userId: "user_1", role: undefined });
  });

  test("is verified with a key whose line ends were written as \\n", async () => {
    const escaped = createIdentify({
      ended,
      publicKeyPem: ours.publicKey.replaceAll("\n", "\\n"),
      issuer: sandboxIssuer,
      authorizedParties: [origin],
      audiences: [],
      adminUsernames: [],
      grants: () => new Map(),
    });
    expect(await escaped(await signed(goodClaims()))).toMatchObject({ userId: "user_1" });
  });
});

describe("the sandbox", () => {
  const tokens = createSandboxTokens({
    privateKeyPem: ours.privateKey,
    authorizedParty: origin,
    now: () => new Date(),
  });
  const tokenOf = (username: string, role?: Role) => tokens({ username, role }, "sess_1");

  test("issues tokens that pass the same verification as the real provider's", async () => {
    expect(await identify(await tokenOf("mo", "manager"))).toMatchObject({
      role: "manager",
    });
    expect(await identify(await tokenOf("Alex.Manager"))).toMatchObject({ role: "manager" });
    expect(await identify(await tokenOf("jo"))).toMatchObject({ role: undefined });
  });

  test("gives a name the same opaque user id each time", async () => {
    const first = await identify(await tokenOf("mo"));
    const second = await identify(await tokenOf("mo"));
    expect(first?.userId).toBe(second?.userId);
    expect(first?.userId).toMatch(/^user_[0-9a-f]{24}$/);
  });

  test("issues tokens that expire after 60 seconds", async () => {
    const old = createSandboxTokens({
      privateKeyPem: ours.privateKey,
      authorizedParty: origin,
      now: () => new Date(Date.now() - 70_000),
    });
    expect(await identify(await old({ username: "mo", role: "manager" }, "sess_1"))).toBeUndefined();
  });
});
