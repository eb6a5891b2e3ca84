import { generateKeyPairSync, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPool, type Pool } from "../../../../infra/postgres/pool.ts";
import { testDatabase } from "../../../../testing/postgres/test-database.ts";
import { createDirectory } from "../../../identity/identity-provider.ts";
import { createIdentify } from "../../../identity/session-token.ts";
import { createSandboxSchema } from "../../sandbox/schema.ts";
import {
  createSandboxIdentity,
  createSandboxTokens,
  type SandboxIdentity,
  sandboxIssuer,
  userIdOf,
} from "./sandbox-identity.ts";

const keys = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
const origin = "http://localhost:3000";
const issueToken = createSandboxTokens({
  privateKeyPem: keys.privateKey,
  authorizedParty: origin,
  now: () => new Date(),
});
const identify = createIdentify({
  ended: { hasEnded: async () => false },
  publicKeyPem: keys.publicKey,
  issuer: sandboxIssuer,
  authorizedParties: [origin],
  audiences: [],
  adminUsernames: [],
  grants: () => new Map(),
});

let pool: Pool;
let drop: () => Promise<void>;
const anew = (): SandboxIdentity => createSandboxIdentity({ pool, issueToken, newId: () => randomUUID() });
const who = async (secret: string, identity = anew()) => {
  const token = await identity.tokenOf(secret);
  return token === undefined ? undefined : identify(token);
};

beforeAll(async () => {
  const database = await testDatabase();
  drop = database.drop;
  pool = createPool(database.connectionString, 4);
  await createSandboxSchema(pool);
});
afterAll(async () => {
  await pool.end();
  await drop();
});

describe("A sandbox session", () => {
  test("issues tokens that prove the person's identity, and survives a restart", async () => {
    const secret = await anew().signIn({ username: "Robin Ellis" });
    const first = await who(secret);
    expect(first).toMatchObject({ userId: userIdOf("Robin Ellis"), role: "staff" });
    const later = await who(secret, anew());
    expect(later?.session.sessionId).toBe(first?.session.sessionId);
  });

  test("of an unknown name is a customer's, unless given a role, which is kept", async () => {
    expect(await who(await anew().signIn({ username: "Nia" }))).toMatchObject({ role: undefined });
    expect(await who(await anew().signIn({ username: "Nia", role: "compliance" }))).toMatchObject({
      role: "compliance",
    });
    expect(await who(await anew().signIn({ username: "Nia" }))).toMatchObject({ role: "compliance" });
    expect(await who(await anew().signIn({ username: "Nia", role: null }))).toMatchObject({
      role: undefined,
    });
  });

  test("issues no more tokens after sign-out, revocation, or revocation of all the person's sessions", async () => {
    const identity = anew();
    const [first, second, third] = await Promise.all(
      [1, 2, 3].map(() => identity.signIn({ username: "Sam Okafor" })),
    );
    const other = await identity.signIn({ username: "Jules Hart" });
    await identity.signOut(first ?? "");
    expect(await who(first ?? "")).toBeUndefined();
    const session = (await who(second ?? ""))?.session.sessionId ?? "";
    await identity.endSession(session);
    expect(await who(second ?? "")).toBeUndefined();
    expect(await who(third ?? "")).toBeDefined();
    await identity.endSessionsOf(userIdOf("Sam Okafor"));
    expect(await who(third ?? "")).toBeUndefined();
    expect(await who(other)).toBeDefined();
  });

  test("expires", async () => {
    const secret = await anew().signIn({ username: "Robin Ellis" });
    await pool.query("update sandbox.sessions set ends_at = now() - interval '1 second'");
    expect(await who(secret)).toBeUndefined();
  });

  test("opens with its secret alone, stored as a hash", async () => {
    const secret = await anew().signIn({ username: "Robin Ellis" });
    const { rows } = await pool.query("select * from sandbox.sessions");
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(await who(rows.at(-1)?.secret_hash)).toBeUndefined();
    expect(await who("")).toBeUndefined();
  });
});

const logInto = (lines: unknown[]) => {
  const note = (facts: object): void => void lines.push(facts);
  return { warn: note, error: note };
};

describe("The directory", () => {
  test("names people, and shortens unknown ids", async () => {
    const warnings: unknown[] = [];
    const directory = createDirectory(anew(), logInto(warnings));
    await anew().signIn({ username: "Ffion" });
    const nameOf = await directory.namesOf([userIdOf("Ffion"), userIdOf("Jules Hart"), "user_unknown123456"]);
    expect(nameOf(userIdOf("Ffion"))).toBe("Ffion");
    expect(nameOf(userIdOf("Jules Hart"))).toBe("Jules Hart");
    expect(nameOf("user_unknown123456")).toBe("user …123456");
    expect(await directory.nameOf(userIdOf("Casey Lindqvist"))).toBe("Casey Lindqvist");
    expect(warnings).toEqual([]);
  });

  test("shortens all ids while the provider is unavailable, without delaying the page", async () => {
    const warnings: unknown[] = [];
    const directory = createDirectory(
      { namesOf: () => Promise.reject(new Error("Out of reach.")) },
      logInto(warnings),
    );
    expect(await directory.nameOf("user_abcdef")).toBe("user …abcdef");
    expect(warnings).toHaveLength(1);
  });
});
