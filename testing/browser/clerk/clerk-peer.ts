import { generateKeyPairSync, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { join } from "node:path";
import { importPKCS8, SignJWT } from "jose";
import { z } from "zod";
import { selfSignedCertificate } from "../../infra/certificate-fixture.ts";
import { peerSecretKey, startFakeClerk } from "../../providers/fake-clerk-api.ts";

/** People the peer can sign in; their roles are in Clerk's public metadata. */
const people: Readonly<Record<string, { id: string; first: string; last: string; role?: string }>> = {
  robin: { id: "user_2RobinEllis", first: "Robin", last: "Ellis", role: "staff" },
  morgan: { id: "user_2MorganHughes", first: "Morgan", last: "Hughes", role: "manager" },
  taylor: { id: "user_2TaylorPrice", first: "Taylor", last: "Price" },
};

const asked = z.object({ client: z.string().nullable(), username: z.string().optional() });
type Answer = Readonly<Record<string, unknown>>;

/** Clerk in a box for tests: its frontend host with a stand-in for its script, and its backend API. */
export async function startClerk() {
  const backend = await startFakeClerk();
  for (const [username, { id, first, last }] of Object.entries(people))
    backend.users.push({ id, username, first_name: first, last_name: last });
  const keys = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const signingKey = await importPKCS8(keys.privateKey, "RS256");
  const scripts: Record<string, string> = {
    "clerk.browser.js": readFileSync(join(import.meta.dirname, "clerk-script.js"), "utf8"),
    "ui.browser.js": "globalThis.__internal_ClerkUICtor = class {};",
  };
  /** The sessions of a browser are known by a secret of its own. */
  const clients = new Map<string, { sessionId: string; username: string }>();
  let issuer = "";

  const open = (client: string | null) => {
    const kept = clients.get(client ?? "");
    const session = backend.sessions.find(({ id }) => id === kept?.sessionId);
    return kept && session?.status === "active" ? { ...kept, userId: session.user_id } : undefined;
  };

  async function tokenOf(client: string | null, origin: string): Promise<string | null> {
    const session = open(client);
    const person = people[session?.username ?? ""];
    if (!session || !person) return null;
    const metadata = person.role === undefined ? {} : { role: person.role };
    return new SignJWT({ sid: session.sessionId, sts: "active", azp: origin, metadata })
      .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: "ins_peer" })
      .setIssuer(issuer)
      .setSubject(session.userId)
      .setIssuedAt()
      .setNotBefore("0s")
      .setExpirationTime("60s")
      .sign(signingKey);
  }

  function signIn(username: string): Answer {
    const person = people[username];
    if (!person) throw new Error(`The peer knows no ${username}.`);
    const [client, sessionId] = [randomUUID(), `sess_${randomUUID().replaceAll("-", "")}`];
    backend.sessions.push({ id: sessionId, user_id: person.id, status: "active" });
    clients.set(client, { sessionId, username });
    return { client, session: { id: sessionId, userId: person.id } };
  }

  async function answer(path: string, body: unknown, origin: string): Promise<Answer> {
    const { client, username = "" } = asked.parse(body);
    if (path === "/stand-in/sign-in") return signIn(username);
    if (path === "/stand-in/token") return { jwt: await tokenOf(client, origin) };
    if (path === "/stand-in/sign-out") return { done: clients.delete(client ?? "") };
    const session = open(client);
    return { session: session ? { id: session.sessionId, userId: session.userId } : null };
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "https://peer.invalid");
    response.setHeader("Access-Control-Allow-Origin", "*");
    response.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
    const script = scripts[pathname.split("/").at(-1) ?? ""];
    if (script !== undefined) {
      response.setHeader("Content-Type", "text/javascript").end(script);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    const said = await answer(pathname, body, request.headers.origin ?? "");
    response.setHeader("Content-Type", "application/json").end(JSON.stringify(said));
  }

  const server = createServer(selfSignedCertificate("127.0.0.1"), (request, response) => {
    respond(request, response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The peer has no port.");
  const host = `127.0.0.1:${address.port}`;
  issuer = `https://${host}`;
  return {
    /** Where the browser gets the script, and asks. */
    host,
    backend,
    /** What an installation knows of it. */
    environment: {
      CLERK_SECRET_KEY: peerSecretKey,
      CLERK_PUBLISHABLE_KEY: `pk_test_${Buffer.from(`${host}$`).toString("base64")}`,
      CLERK_JWT_KEY: keys.publicKey.replaceAll("\n", "\\n"),
      CLERK_ISSUER: issuer,
      NODE_OPTIONS: `--import ${join(import.meta.dirname, "clerk-api-elsewhere.ts")}`,
      TEST_CLERK_API: backend.url,
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      await backend.close();
    },
  };
}

export type ClerkInTest = Awaited<ReturnType<typeof startClerk>>;
