import { createHash, randomBytes } from "node:crypto";
import { importPKCS8, SignJWT } from "jose";
import { z } from "zod";
import { inTransaction, type Pool } from "../../../../infra/postgres/pool.ts";
import type { IdentityProvider } from "../../../identity/identity-provider.ts";
import { type Role, role } from "../../../identity/session-token.ts";

/** A person known to the sandbox's sign-in; without a role, a customer. */
type SandboxPerson = { readonly username: string; readonly role: Role | undefined };

/** Invented people for the sandbox: two in each role that needs a second person. */
export const preparedPeople: readonly SandboxPerson[] = [
  { username: "Robin Ellis", role: "staff" },
  { username: "Sam Okafor", role: "staff" },
  { username: "Morgan Hughes", role: "manager" },
  { username: "Jules Hart", role: "manager" },
  { username: "Casey Lindqvist", role: "compliance" },
  { username: "Taylor Price", role: undefined },
];

/** The same name gives the same user id. The id reveals nothing, since it is stored in the event log. */
export const userIdOf = (username: string): string =>
  `user_${createHash("sha256").update(`sandbox-user\n${username}`).digest("hex").slice(0, 24)}`;

export const sandboxIssuer = "https://identity.sandbox.invalid";
const lifetimeSeconds = 60;

/**
 * Issues session tokens in the identity provider's format, valid for 60 seconds, signed with this installation's keys.
 */
type IssueSandboxToken = (person: SandboxPerson, sessionId: string) => Promise<string>;

/** @param options.authorizedParty origin of the requesting page, becomes `azp` */
export function createSandboxTokens(options: {
  privateKeyPem: string;
  authorizedParty: string;
  now: () => Date;
}): IssueSandboxToken {
  const key = importPKCS8(options.privateKeyPem, "RS256");
  return async ({ username, role }, sessionId) => {
    const issuedAt = Math.floor(options.now().getTime() / 1000);
    return new SignJWT({
      sid: sessionId,
      sts: "active",
      azp: options.authorizedParty,
      username,
      metadata: role ? { role } : {},
    })
      .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: "sandbox" })
      .setIssuer(sandboxIssuer)
      .setSubject(userIdOf(username))
      .setIssuedAt(issuedAt)
      .setNotBefore(issuedAt)
      .setExpirationTime(issuedAt + lifetimeSeconds)
      .sign(await key);
  };
}

/** Sandbox sign-in with any name. A role is stored for the person, null removes it, and omitting it changes nothing. */
export const sandboxSignIn = z.object({
  username: z.string().trim().min(1, "Username is required").max(100),
  role: role.nullish(),
});
type SandboxSignIn = z.output<typeof sandboxSignIn>;

/** Maximum duration of a sandbox session, in seconds. */
export const sandboxSessionSeconds = 7 * 86_400;

/** The identity provider's sandbox: no passwords, but stored sessions that can end. */
export type SandboxIdentity = IdentityProvider & {
  readonly people: readonly SandboxPerson[];
  /** Opens a session and returns its secret for the browser's cookie; only its hash is stored. */
  readonly signIn: (who: SandboxSignIn) => Promise<string>;
  /** A token of a session; undefined when it has ended or never existed. */
  readonly tokenOf: (secret: string) => Promise<string | undefined>;
  readonly signOut: (secret: string) => Promise<void>;
};

const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");
const newSecret = (): string => randomBytes(32).toString("base64url");

type SessionRow = { id: string; username: string; role: unknown };

export function createSandboxIdentity(parts: {
  readonly pool: Pool;
  readonly issueToken: IssueSandboxToken;
  readonly newId: () => string;
}): SandboxIdentity {
  const { pool, issueToken, newId } = parts;

  async function open({ username, role: given }: SandboxSignIn): Promise<string> {
    const secret = newSecret();
    const prepared = preparedPeople.find((person) => person.username === username)?.role ?? null;
    await inTransaction(pool, async (client) => {
      await client.query(
        `insert into sandbox.people (user_id, username, role) values ($1, $2, $3)
         on conflict (user_id) do update set role = case when $4 then excluded.role else people.role end`,
        [userIdOf(username), username, given === undefined ? prepared : given, given !== undefined],
      );
      await client.query("delete from sandbox.sessions where ends_at < now()");
      await client.query(
        `insert into sandbox.sessions (id, secret_hash, user_id, ends_at)
         values ($1, $2, $3, now() + make_interval(secs => $4))`,
        [`sess_${newId().replaceAll("-", "")}`, hashOf(secret), userIdOf(username), sandboxSessionSeconds],
      );
    });
    return secret;
  }

  return {
    people: preparedPeople,
    signIn: open,
    async tokenOf(secret) {
      const { rows } = await pool.query<SessionRow>(
        `select session.id, people.username, people.role
         from sandbox.sessions session join sandbox.people using (user_id)
         where secret_hash = $1 and ends_at > now()`,
        [hashOf(secret)],
      );
      const session = rows[0];
      if (!session) return undefined;
      const held = role.safeParse(session.role);
      const person = { username: session.username, role: held.success ? held.data : undefined };
      return issueToken(person, session.id);
    },
    async signOut(secret) {
      await pool.query("delete from sandbox.sessions where secret_hash = $1", [hashOf(secret)]);
    },
    async endSession(sessionId) {
      await pool.query("delete from sandbox.sessions where id = $1", [sessionId]);
    },
    async endSessionsOf(userId) {
      await pool.query("delete from sandbox.sessions where user_id = $1", [userId]);
    },
    async namesOf(userIds) {
      const { rows } = await pool.query<{ user_id: string; username: string }>(
        "select user_id, username from sandbox.people where user_id = any($1)",
        [userIds],
      );
      const always = preparedPeople.map(({ username }) => [userIdOf(username), username] as const);
      return new Map([...always, ...rows.map(({ user_id, username }) => [user_id, username] as const)]);
    },
  };
}
